#include "tuner/grid.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

class Exhaustive : public Strategy {
public:
    explicit Exhaustive(const TuningTask &task) : grid_(task), walk_(grid_) {
        known_.add(task.planned);
    }

    std::vector<Proposal> propose(size_t most) override {
        std::vector<Proposal> points;
        while (points.size() < most) {
            const std::vector<Nest> next = walk_.next(1);
            if (next.empty()) {
                break;
            }
            if (known_.add(next.front())) {
                points.push_back({next.front(), "in turn"});
            }
        }
        return points;
    }

    void observe(const std::vector<Result> &results) override { known_.add(results); }

private:
    const Grid grid_;
    GridWalk walk_;
    KnownPoints known_;
};

}  // namespace

const StrategyKind &tuning_strategy_exhaustive() {
    static const StrategyKind kind = {"exhaustive", "every point of the space's grid",
                                      [](const TuningTask &task, const SearchContext &) {
                                          return std::make_unique<Exhaustive>(task);
                                      }};
    return kind;
}

}  // namespace emulsion
