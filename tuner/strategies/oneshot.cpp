#include <algorithm>

#include "tuner/points.h"
#include "tuner/predictor.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

// One-Shot Tuner (J. Ryu, E. Park, H. Sung, CC 2022): a predictor that was trained before picks; to measure a few of what it thinks
// best is for safety. Of scopes that it doesn't know it proposes nothing.
class OneShot : public Strategy {
public:
    OneShot(const TuningTask &task, const SearchContext &context) {
        constexpr size_t kMost = 32;
        if (context.predictor && context.predictor->knows(task.scope)) {
            nests_ = context.predictor->fastest(task, context.seed);
            nests_.resize(std::min(nests_.size(), kMost));
        }
    }

    std::vector<Proposal> propose(size_t most) override {
        std::vector<Proposal> proposals;
        while (next_ < nests_.size() && proposals.size() < most) {
            const Nest &nest = nests_[next_++];
            if (known_.add(nest)) {
                proposals.push_back({nest, "predicted"});
            }
        }
        return proposals;
    }

    void observe(const std::vector<Result> &results) override {
        for (const Result &result : results) {
            known_.add(result.nest);
        }
    }

private:
    std::vector<Nest> nests_;  // the best first
    size_t next_ = 0;
    KnownPoints known_;
};

}  // namespace

const StrategyKind &tuning_strategy_oneshot() {
    static const StrategyKind kind = {"oneshot",
                                      "the few that a predictor picks which was trained before",
                                      [](const TuningTask &task, const SearchContext &context) {
                                          return std::make_unique<OneShot>(task, context);
                                      }};
    return kind;
}

}  // namespace emulsion
