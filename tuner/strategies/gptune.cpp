#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "tuner/gaussian/expected_improvement.h"
#include "tuner/learned_search.h"

namespace emulsion {

namespace {

// GPTune (Y. Liu et al., PPoPP 2021, section 3): points that fill the space, for the first half of the trials; then those of which a Gaussian
// process expects the largest improvement. With its own model the process is of all tasks of a template, whatever the order in which
// these have their turns.
class GpTune : public LearnedSearch {
public:
    GpTune(const TuningTask &task, const SearchContext &context)
        : LearnedSearch(task, context, {.deviation = true}),
          first_(first_of(context.trials)), filled_{seeds().front()} {}

private:
    struct Candidate {
        GridPoint point;
        double mean = 0.0, improvement = 0.0;
    };

    // Half of the trials; where nobody knows how many there are, a batch.
    static size_t first_of(int64_t trials) {
        constexpr size_t kUnlimited = 16;
        constexpr int64_t kShare = 2;
        return trials > 0 ? static_cast<size_t>(std::max<int64_t>(trials / kShare, 1)) : kUnlimited;
    }

    bool begin(size_t most) override {
        fill_space(std::min(most, first_));
        return proposed() > 0;
    }

    void choose(size_t most) override {
        if (observed() < first_) {
            fill_space(std::min(most, first_ - observed()));
            return;
        }
        for (const Candidate &candidate : most_promising()) {
            if (proposed() < most) {
                add(candidate.point, "expected_improvement", candidate.mean);
            }
        }
    }

    // Each time, of many points drawn at random, that which is farthest from those so far.
    void fill_space(size_t count) {
        constexpr int kDraws = 64;
        for (size_t i = 0; i < count; i++) {
            GridPoint best;
            double farthest = 0.0;
            for (int draw = 0; draw < kDraws; draw++) {
                GridPoint point = programs().draw(engine());
                const double apart = is_known(point) ? 0.0 : distance_to_filled(point);
                if (apart > farthest) {
                    farthest = apart;
                    best = std::move(point);
                }
            }
            if (best.empty()) {
                return;
            }
            add(best, "space_filling");
            filled_.push_back(std::move(best));
        }
    }

    // Of the nearest one, in steps over those that a parameter has.
    double distance_to_filled(const GridPoint &point) const {
        double least = std::numeric_limits<double>::infinity();
        for (const GridPoint &other : filled_) {
            double squares = 0.0;
            for (size_t p = 0; p < point.size(); p++) {
                const double steps = static_cast<double>(point[p]) - static_cast<double>(other[p]);
                squares += std::pow(steps / static_cast<double>(points().values(p)), 2.0);
            }
            least = std::min(least, squares);
        }
        return least;
    }

    // Points drawn at random and those around the fastest, and from the most promising of them uphill. The most promising first.
    std::vector<Candidate> most_promising() {
        constexpr size_t kDrawn = 1024, kAround = 4, kClimbs = 8;
        constexpr int kSteps = 16;
        seen_.clear();
        std::vector<GridPoint> fresh;
        for (size_t i = 0; i < kDrawn; i++) {
            take(programs().draw(engine()), fresh);
        }
        size_t around = 0;
        for (auto fastest = measured().begin(); fastest != measured().end() && around < kAround;
             ++fastest, around++) {
            take_steps(fastest->second, fresh);
        }
        std::vector<Candidate> all;
        for (int step = 0; step < kSteps && !fresh.empty(); step++) {
            append(std::exchange(fresh, {}), all);
            for (size_t i = 0; i < std::min(kClimbs, all.size()); i++) {
                take_steps(all[i].point, fresh);
            }
        }
        return all;
    }

    void take(GridPoint point, std::vector<GridPoint> &fresh) {
        if (!is_known(point) && seen_.insert(point).second) {
            fresh.push_back(std::move(point));
        }
    }

    void take_steps(const GridPoint &point, std::vector<GridPoint> &fresh) {
        for (size_t p = 0; p < point.size(); p++) {
            for (const int step : {-1, 1}) {
                GridPoint next = point;
                next[p] = static_cast<uint16_t>(next[p] + step);
                if (next[p] < points().values(p) && points().is_valid(next)) {
                    take(std::move(next), fresh);
                }
            }
        }
    }

    void append(std::vector<GridPoint> fresh, std::vector<Candidate> &all) {
        const std::vector<Prediction> predictions = scores_of(fresh);
        const double best = best_logarithm();
        for (size_t i = 0; i < fresh.size(); i++) {
            all.push_back({std::move(fresh[i]), predictions[i].mean,
                           expected_improvement(predictions[i], best)});
        }
        std::stable_sort(all.begin(), all.end(), [](const Candidate &a, const Candidate &b) {
            return std::pair(a.improvement, a.mean) > std::pair(b.improvement, b.mean);
        });
    }

    // Of the score of the fastest point that was measured: 0 unless the planned nest, which is none of the samples, is faster.
    double best_logarithm() const {
        return measured().empty() ? 0.0 : -std::max(std::log(measured().begin()->first), 0.0);
    }

    const size_t first_;  // trials that fill the space
    std::vector<GridPoint> filled_;
    std::set<GridPoint> seen_;  // of this proposal
};

}  // namespace

const StrategyKind &tuning_strategy_gptune() {
    static const StrategyKind kind = {
        .name = "gptune",
        .description =
            "the largest improvement that Gaussian processes of all tasks expect (GPTune)",
        .make =
            [](const TuningTask &task, const SearchContext &context) {
                return std::make_unique<GpTune>(task, context);
            },
        .model = "coregional"};
    return kind;
}

}  // namespace emulsion
