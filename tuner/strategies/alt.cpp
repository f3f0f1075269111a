#include "tuner/active/active_search.h"

namespace emulsion {

// ALT (X. Zeng et al., ICCD 2020): batches that teach the model take turns with batches of what it thinks best; what it thinks
// will fail is left out.
const StrategyKind &tuning_strategy_alt() {
    static const StrategyKind kind = {
        "alt",
        "in turns what a model is least sure of and what it thinks best; without what would fail",
        [](const TuningTask &task, const SearchContext &context) {
            return std::make_unique<ActiveSearch>(
                task, context, ActiveOptions{.asks_for_uncertain = true, .drops_invalid = true});
        }};
    return kind;
}

}  // namespace emulsion
