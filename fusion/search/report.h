// What a search says of itself.
#pragma once

#include <cstdint>

namespace emulsion {

struct SearchReport {
    int64_t states = 0;             // operators whose best group was looked for
    int64_t groups = 0;             // groups looked at
    int64_t refused = 0;            // of these, not legal or not computable
    int64_t bounded = 0;            // times that the bound ended a line of groups
    int64_t attached = 0;           // forced fusions: operators that join their reader's group
    int64_t duplication_tries = 0;  // copies of operators that were priced
    int64_t layouts = 0;  // plans of which this is the cheapest, each with other orders of axes
    // No partition has a lower sum of its groups' prices, of those that compute every value once and keep
    // views (operators that need no kernel) apart, as the values lie in this plan; and no whole plan of another
    // policy is cheaper.
    bool proven_optimal = false;
    double cycles = 0.0;  // of the plan, predicted
    bool operator==(const SearchReport &) const = default;
};

}  // namespace emulsion
