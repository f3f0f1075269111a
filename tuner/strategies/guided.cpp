#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "tuner/learned_search.h"

namespace emulsion {

namespace {

// What `local` walks, in the order of a learned model: neighbours of the fastest points, those first that the model thinks
// fastest. Anywhere else it is wrong more often than there is something to find.
class Guided : public LearnedSearch {
public:
    Guided(const TuningTask &task, const SearchContext &context)
        : LearnedSearch(task, context, {}), grid_(task) {}

private:
    static constexpr size_t kAround = 4;  // so many of the fastest points
    static constexpr size_t kBatches =
        2;  // more of them until there are so many batches of neighbours

    struct Candidate {
        GridPoint point;
        std::string origin;
        double predicted = 0.0;
    };

    // New ones, of the planned nest, too.
    std::vector<Candidate> neighbours(size_t most) {
        std::vector<Candidate> found;
        std::set<GridPoint> seen;
        const auto take = [&](const std::vector<Nest> &nests, const char *origin) {
            for (const Nest &nest : nests) {
                GridPoint point = *points().point(nest);
                if (!is_known(point) && seen.insert(point).second) {
                    found.push_back({std::move(point), origin});
                }
            }
        };
        const auto expand = [&](const GridPoint &point) {
            const Nest nest = points().nest(point);
            take(grid_.neighbours(nest), "neighbour");
            take(grid_.exchanges(nest), "exchange");
        };
        size_t around = 0;
        bool planned_is_open = true;
        for (const auto &[ratio, point] : measured()) {
            if (around >= kAround && found.size() >= kBatches * most) {
                break;
            }
            if (planned_is_open && ratio > 1.0) {
                expand(seeds().front());
                planned_is_open = false;
                around++;
            }
            expand(point);
            around++;
        }
        return found;
    }

    void choose(size_t most) override {
        std::vector<Candidate> candidates = neighbours(most);
        std::vector<GridPoint> all;
        for (const Candidate &candidate : candidates) {
            all.push_back(candidate.point);
        }
        const std::vector<Prediction> predictions = scores_of(all);
        for (size_t i = 0; i < candidates.size(); i++) {
            candidates[i].predicted = predictions[i].mean;
        }
        std::stable_sort(
            candidates.begin(), candidates.end(),
            [](const Candidate &a, const Candidate &b) { return a.predicted > b.predicted; });
        const size_t best = std::min(candidates.size(), (most + 1) / 2);
        std::shuffle(candidates.begin() + static_cast<std::ptrdiff_t>(best), candidates.end(),
                     engine());
        for (const Candidate &candidate : candidates) {
            if (proposed() < most) {
                add(candidate.point, candidate.origin, candidate.predicted);
            }
        }
    }

    const Grid grid_;
};

}  // namespace

const StrategyKind &tuning_strategy_guided() {
    static const StrategyKind kind = {
        "guided", "neighbours of the fastest points so far, as a learned model thinks of them",
        [](const TuningTask &task, const SearchContext &context) {
            return std::make_unique<Guided>(task, context);
        }};
    return kind;
}

}  // namespace emulsion
