#include "fusion/image/sum_shares.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fusion/image/needed_regions.h"

namespace emulsion {

namespace {

constexpr int64_t kSharesPerThread[] = {1, 2, 4};
// What one lane or column of a share takes to be added to the result.
constexpr double kAddedPart = 4.0;

}  // namespace

std::vector<int64_t> candidate_shares(const ImageStage &root,
                                      const std::vector<DefinitionCost> &costs,
                                      const CpuMachine &machine) {
    if (root.definitions.size() != 2 || !root.definitions.back().adds_up || machine.threads < 2) {
        return {};
    }
    const Definition &update = root.definitions.back();
    const SumLanes &lanes = costs.back().lanes;
    // Where lanes run along the same loop, whole steps of these.
    const bool same = update.lane_loop + 1 == std::ssize(update.reduced);
    const int64_t step = same ? lanes.elements * lanes.vectors : 1;
    const int64_t outermost = update.reduced.back();
    std::set<int64_t> shares;
    for (const int64_t tasks : kSharesPerThread) {
        const int64_t count = tasks * machine.threads * step;
        const int64_t share = (outermost + count - 1) / count * step;
        if (share < outermost) {
            shares.insert(share);
        }
    }
    return {shares.begin(), shares.end()};
}

bool reads_copies(const ImageGraph &graph, const StagePlacements &placements, int reader) {
    std::set<int> through{reader};
    while (!through.empty()) {
        const int next = *through.rbegin();  // what it reads stands before it
        through.erase(next);
        for (const Definition &definition : graph.stages[static_cast<size_t>(next)].definitions) {
            for (const ImageRead &read : definition.reads) {
                const int producer = read.producer;
                if (producer < 0 || producer == next) {
                    continue;
                }
                if (!graph.stages[static_cast<size_t>(producer)].copy_of.empty()) {
                    return true;
                }
                if (placements[static_cast<size_t>(producer)] == Placement::Inline) {
                    through.insert(producer);
                }
            }
        }
    }
    return false;
}

double tasks_of_shares(const ImageStage &root, int64_t share) {
    return std::ceil(static_cast<double>(root.definitions.back().reduced.back()) /
                     static_cast<double>(share));
}

double shared_cycles(const ImageStage &root, const DefinitionCost &cost, int64_t share,
                     const CpuMachine &machine) {
    const double tasks = tasks_of_shares(root, share);
    const double rounds = std::ceil(tasks / machine.threads);
    const Extents whole{root.extents.begin(), root.extents.end()};
    const auto lanes = static_cast<double>(cost.lanes.elements * cost.lanes.vectors);
    const double all = evaluations(root.definitions.back(), whole) * cost.cycles;
    return all * rounds / tasks + rounds * machine.image_task_cycles +
           product(whole) * tasks * lanes * kAddedPart;
}

}  // namespace emulsion
