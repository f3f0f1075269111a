#include <algorithm>
#include <map>
#include <random>

#include "tuner/grid.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

// Tries what the machine suggests, then the neighbours of the fastest point whose neighbours were not tried yet: first
// those that differ in one parameter, then exchanges between two. Where all that is known was expanded, points are drawn
// at random.
class Local : public Strategy {
public:
    Local(const TuningTask &task, uint64_t seed) : grid_(task), engine_(seed) {
        constexpr size_t kSuggested = 16;
        known_.add(task.planned);
        open_.emplace(1.0, Place{task.planned, false});
        for (size_t i = std::min(kSuggested, task.suggested.size()); i-- > 0;) {
            waiting_.push_back({task.suggested[i], "suggested"});
        }
    }

    std::vector<Proposal> propose(size_t most) override {
        std::vector<Proposal> points;
        while (points.size() < most) {
            if (!waiting_.empty()) {
                if (known_.add(waiting_.back().nest)) {
                    points.push_back(waiting_.back());
                }
                waiting_.pop_back();
            } else if (!open_.empty()) {
                expand();
            } else if (auto nest =
                           points.empty() ? grid_.random_point(engine_, known_) : std::nullopt) {
                points.push_back({std::move(*nest), "random"});
            } else {
                break;
            }
        }
        return points;
    }

    void observe(const std::vector<Result> &results) override {
        known_.add(results);
        for (const Result &result : results) {
            if (result.outcome == Outcome::Ok) {
                open_.emplace(result.ratio, Place{result.nest, false});
            }
        }
        // What is better than where the neighbours come from goes first.
        if (!results.empty() && !open_.empty() && open_.begin()->first < expanded_) {
            expand();
        }
    }

private:
    struct Place {
        Nest nest;
        bool has_neighbours;  // were tried already: exchanges are left
    };

    void expand() {
        const auto [ratio, place] = *open_.begin();
        open_.erase(open_.begin());
        expanded_ = ratio;
        std::vector<Nest> around =
            place.has_neighbours ? grid_.exchanges(place.nest) : grid_.neighbours(place.nest);
        if (!place.has_neighbours) {
            open_.emplace(ratio, Place{place.nest, true});
        }
        std::shuffle(around.begin(), around.end(), engine_);
        for (Nest &nest : around) {
            waiting_.push_back({std::move(nest), place.has_neighbours ? "exchange" : "neighbour"});
        }
    }

    const Grid grid_;
    std::mt19937_64 engine_;
    KnownPoints known_;
    std::multimap<double, Place> open_;  // by ratio: points around which there is more to try
    std::vector<Proposal> waiting_;      // the last one first
    double expanded_ = 1e300;            // ratio of the point that was expanded last
};

}  // namespace

const StrategyKind &tuning_strategy_local() {
    static const StrategyKind kind = {
        "local", "what the machine suggests, then neighbours of the fastest point so far",
        [](const TuningTask &task, const SearchContext &context) {
            return std::make_unique<Local>(task, context.seed);
        }};
    return kind;
}

}  // namespace emulsion
