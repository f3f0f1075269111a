#include "tuner/active/active_search.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace emulsion {

namespace {

// Points of a pool: neighbours of so many of the best, what the machine suggests, the rest drawn at random.
constexpr size_t kPool = 1024, kAround = 16, kNeighbours = 16;
constexpr double kLeastValid = 0.5;
// Uncertain points are chosen among so many times as many of those that are thought best.
constexpr size_t kOfUncertain = 4;

}  // namespace

// New ones, in the order in which they were found.
std::vector<GridPoint> ActiveSearch::pool() {
    std::vector<GridPoint> pool;
    std::set<GridPoint> seen;
    const auto take = [&](GridPoint point) {
        if (!is_known(point) && seen.insert(point).second) {
            pool.push_back(std::move(point));
        }
    };
    size_t around = 0;
    for (auto best = measured().begin(); best != measured().end() && around < kAround;
         ++best, around++) {
        for (size_t i = 0; i < kNeighbours; i++) {
            if (auto mutated = programs().mutate(best->second, engine())) {
                take(std::move(mutated->point));
            }
        }
    }
    for (const GridPoint &seed : seeds()) {
        take(seed);
    }
    for (size_t tries = 0; tries < kPool && pool.size() < kPool; tries++) {
        take(programs().draw(engine()));
    }
    return pool;
}

// The best first.
std::vector<ActiveSearch::Candidate> ActiveSearch::candidates() {
    std::vector<GridPoint> points = pool();
    const std::vector<Prediction> predictions = scores_of(points);
    std::vector<Candidate> candidates;
    for (size_t i = 0; i < points.size(); i++) {
        candidates.push_back({std::move(points[i]), predictions[i]});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate &a, const Candidate &b) {
                         return a.prediction.mean > b.prediction.mean;
                     });
    // What is left out still comes last: where all else was tried, a filter may have been wrong.
    if (options_.drops_invalid) {
        std::stable_partition(candidates.begin(), candidates.end(), [](const Candidate &candidate) {
            return candidate.prediction.p_valid >= kLeastValid;
        });
    }
    return candidates;
}

void ActiveSearch::choose(size_t most) {
    std::vector<Candidate> best = candidates();
    const bool asks = options_.asks_for_uncertain && batch_ % 2 == 0;
    if (asks) {
        // Of those that may be among the fastest: to know others better is worth less.
        const size_t few = std::min(best.size() / 2, kOfUncertain * most);
        std::stable_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(few),
                         [](const Candidate &a, const Candidate &b) {
                             return a.prediction.deviation > b.prediction.deviation;
                         });
    }
    batch_++;
    for (const Candidate &candidate : best) {
        if (proposed() < most) {
            add(candidate.point, asks ? "uncertain" : "best", candidate.prediction.mean);
        }
    }
}

}  // namespace emulsion
