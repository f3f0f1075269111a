#include <random>

#include "tuner/grid.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

class RandomStrategy : public Strategy {
public:
    RandomStrategy(const TuningTask &task, uint64_t seed) : grid_(task), engine_(seed) {
        known_.add(task.planned);
    }

    std::vector<Proposal> propose(size_t most) override {
        std::vector<Proposal> points;
        while (points.size() < most) {
            std::optional<Nest> nest = grid_.random_point(engine_, known_);
            if (!nest) {
                break;
            }
            points.push_back({std::move(*nest), "random"});
        }
        return points;
    }

    void observe(const std::vector<Result> &results) override { known_.add(results); }

private:
    const Grid grid_;
    std::mt19937_64 engine_;
    KnownPoints known_;
};

}  // namespace

const StrategyKind &tuning_strategy_random() {
    static const StrategyKind kind = {"random", "points of the space, drawn at random",
                                      [](const TuningTask &task, const SearchContext &context) {
                                          return std::make_unique<RandomStrategy>(task,
                                                                                  context.seed);
                                      }};
    return kind;
}

}  // namespace emulsion
