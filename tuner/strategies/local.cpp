#include <algorithm>
#include <map>
#include <random>

#include "tuner/grid.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

// Tries the neighbours of the fastest point whose neighbours were not tried yet, beginning at the planned one. Where
// all that is known was expanded, points are drawn at random.
class Local : public Strategy {
public:
    Local(const TuningTask &task, uint64_t seed) : grid_(task), engine_(seed) {
        known_.add(task.planned);
        open_.emplace(1.0, task.planned);
    }

    std::vector<Nest> propose(size_t most) override {
        std::vector<Nest> points;
        while (points.size() < most) {
            if (waiting_.empty() && !open_.empty()) {
                expand();
            } else if (!waiting_.empty()) {
                points.push_back(std::move(waiting_.back()));
                waiting_.pop_back();
            } else if (auto nest = points.empty() ? grid_.random_point(engine_, known_)
                                                  : std::nullopt) {
                points.push_back(std::move(*nest));
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
                open_.emplace(result.ratio, result.nest);
            }
        }
        // What is better than where the neighbours come from goes first.
        if (!open_.empty() && open_.begin()->first < expanded_) {
            expand();
        }
    }

private:
    void expand() {
        const auto best = open_.begin();
        expanded_ = best->first;
        std::vector<Nest> around = grid_.neighbours(best->second);
        open_.erase(best);
        std::shuffle(around.begin(), around.end(), engine_);
        for (Nest &nest : around) {
            if (known_.add(nest)) {
                waiting_.push_back(std::move(nest));
            }
        }
    }

    const Grid grid_;
    std::mt19937_64 engine_;
    KnownPoints known_;
    std::multimap<double, Nest> open_;  // by ratio: points whose neighbours were not tried
    std::vector<Nest> waiting_;         // to be proposed, the last one first
    double expanded_ = 1.0;             // ratio of the point that was expanded last
};

}  // namespace

const StrategyKind &tuning_strategy_local() {
    static const StrategyKind kind = {
        "local", "neighbours of the fastest point so far, beginning at the planned one",
        [](const TuningTask &task, uint64_t seed) { return std::make_unique<Local>(task, seed); }};
    return kind;
}

}  // namespace emulsion
