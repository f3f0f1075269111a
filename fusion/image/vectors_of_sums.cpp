#include "fusion/image/vectors_of_sums.h"

#include <algorithm>
#include <cmath>

#include "fusion/image/needed_regions.h"
#include "fusion/image/stage_cost.h"

namespace emulsion {

int64_t vectors_of_sums(const ImageDecisions &decisions, int i, const std::vector<int> &sums,
                        int64_t vector, const CpuMachine &machine) {
    constexpr int64_t kManyRows = 64;
    constexpr double kLittleWork = 4.0, kMostTwice = 1.15;
    const auto stage = [&](int index) -> const ImageStage & {
        return decisions.graph.stages[static_cast<size_t>(index)];
    };
    for (const int sum : sums) {
        const std::vector<int64_t> &reduced = stage(sum).definitions.back().reduced;
        const double rows = product({reduced.begin(), reduced.end()});
        const DefinitionCost update =
            stage_costs(decisions.graph, decisions.placements, sum, machine).back();
        if (rows < kManyRows || update.operations > kLittleWork || update.gathers) {
            return kRegisterVectors;
        }
    }
    int64_t vectors = std::max<int64_t>(kRegisterVectors, machine.vector_registers / 2);
    const auto columns =
        static_cast<double>(stage(i).extents.empty() ? 1 : stage(i).extents.front());
    const auto computed = [&] {
        const auto step = static_cast<double>(vectors * vector);
        return std::ceil(columns / step) * step;
    };
    while (vectors > kRegisterVectors && computed() > kMostTwice * columns) {
        vectors /= 2;
    }
    return vectors;
}

}  // namespace emulsion
