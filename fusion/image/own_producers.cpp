#include "fusion/image/own_producers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fusion/image/group_price.h"

namespace emulsion {

namespace {

// Whether `read`, of the pure stage `i`, is of a stage that nothing else reads, at one place.
bool is_of_own_producer(const ImageRead &read, const ImageGraph &graph, const StageFacts &facts,
                        int i) {
    const int producer = read.producer;
    const ImageStage &stage = graph.stages[static_cast<size_t>(producer)];
    if (!stage.is_pure() || stage.is_opaque || facts.is_table(producer) || read.taps.size() != 1) {
        return false;
    }
    for (int reader = producer + 1; reader < std::ssize(graph.stages); reader++) {
        if (reader != i && reads(graph.stages[static_cast<size_t>(reader)], producer)) {
            return false;
        }
    }
    return true;
}

}  // namespace

double own_producers_cycles(const ImageGraph &graph, StagePlacements placements,
                            const CpuMachine &machine, const StageFacts &facts, int i,
                            const std::vector<ImageGroup> &groups) {
    const ImageStage &stage = graph.stages[static_cast<size_t>(i)];
    const auto is_possible = [](const ImageGroup &group) { return std::isfinite(group.cycles); };
    if (!stage.is_pure() || !std::all_of(groups.begin(), groups.end(), is_possible)) {
        return 0.0;
    }
    double sum = 0.0;
    for (const ImageRead &read : stage.definitions.front().reads) {
        if (read.producer < 0 || placements[static_cast<size_t>(read.producer)] ||
            !is_of_own_producer(read, graph, facts, i)) {
            continue;
        }
        double best = std::numeric_limits<double>::infinity();
        for (const Placement place : {Placement::Root, Placement::Inline}) {
            placements[static_cast<size_t>(read.producer)] = place;
            double cycles = 0.0;
            for (ImageGroup group : groups) {
                cycles -= group.cycles;
                price_group(graph, placements, machine, group);
                cycles += group.cycles;
            }
            if (place == Placement::Root) {
                ImageGroup alone{read.producer, {}, {}, 0.0};
                price_group(graph, placements, machine, alone);
                cycles += alone.cycles;
            }
            best = std::min(best, cycles);
        }
        placements[static_cast<size_t>(read.producer)] = std::nullopt;
        sum += std::isfinite(best) ? best : 0.0;
    }
    return sum;
}

}  // namespace emulsion
