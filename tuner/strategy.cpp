#include "tuner/strategy.h"

#include "fusion/find_kind.h"

namespace emulsion {

std::vector<Nest> nests_of(const std::vector<Proposal> &proposals) {
    std::vector<Nest> nests;
    for (const Proposal &proposal : proposals) {
        nests.push_back(proposal.nest);
    }
    return nests;
}

const StrategyKind &find_strategy(const std::string &name) {
    return find_kind(all_strategies(), name, "tuning strategy");
}

}  // namespace emulsion
