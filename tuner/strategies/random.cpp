#include <random>

#include "fusion/random_nest.h"
#include "tuner/points.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

class RandomStrategy : public Strategy {
public:
    RandomStrategy(const TuningTask &task, uint64_t seed) : task_(task), engine_(seed) {
        known_.add(task.planned);
    }

    std::vector<Nest> propose(size_t most) override {
        // A space in which so many draws find nothing new has nothing left, or nearly.
        constexpr int kTries = 200;
        std::vector<Nest> points;
        for (int tries = 0; tries < kTries && points.size() < most; tries++) {
            Nest nest = random_nest(task_.space, task_.planned, engine_);
            if (known_.add(nest)) {
                points.push_back(std::move(nest));
                tries = 0;
            }
        }
        return points;
    }

    void observe(const std::vector<Result> &results) override {
        for (const Result &result : results) {
            known_.add(result.nest);
        }
    }

private:
    const TuningTask &task_;
    std::mt19937_64 engine_;
    KnownPoints known_;
};

}  // namespace

const StrategyKind &tuning_strategy_random() {
    static const StrategyKind kind = {"random", "points of the space, drawn at random",
                                      [](const TuningTask &task, uint64_t seed) {
                                          return std::make_unique<RandomStrategy>(task, seed);
                                      }};
    return kind;
}

}  // namespace emulsion
