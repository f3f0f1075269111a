#include "tuner/strategy.h"

#include "fusion/find_kind.h"

namespace emulsion {

const StrategyKind &find_strategy(const std::string &name) {
    return find_kind(all_strategies(), name, "tuning strategy");
}

}  // namespace emulsion
