#include "tuner/active/active_search.h"

namespace emulsion {

// What ALT is compared with: as AutoTVM's tuner does (T. Chen et al., NeurIPS 2018), only what the model thinks best.
const StrategyKind &tuning_strategy_greedy() {
    static const StrategyKind kind = {"greedy", "what a learned model thinks best",
                                      [](const TuningTask &task, const SearchContext &context) {
                                          return std::make_unique<ActiveSearch>(task, context,
                                                                                ActiveOptions{});
                                      }};
    return kind;
}

}  // namespace emulsion
