// Which alternative every operator of a problem takes, by the price of the whole plan.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/problem.h"

namespace emulsion {

// By operator and alternative: cycles of the alternative by itself, its operators in the cheapest groups and all
// values lying as its loop nests like best. Operators without a choice have no prices.
using AlonePrices = std::vector<std::vector<double>>;

AlonePrices alone_prices(const Problem &problem, CostSource &costs);

struct AlternativesSearch {
    Decisions start;
    std::set<int> fixed;  // operators that stay as they are
    // How often the price of decisions may be asked, `start`'s included.
    int64_t tries = 1;
};

// From the start, the operators of an equivalence class (same alternatives at the same prices) take another alternative
// together: one that is cheaper than theirs by itself, or one that keeps the layout of what the caller hands in. With them
// go the consumers of their results, and theirs, that reduce nothing and have an alternative of that name: such alternatives
// read and make values of one form, so that what changes it between them cancels. What promises most is tried first, and
// kept where it makes the plan cheaper.
Decisions search_alternatives(const Problem &problem, const AlonePrices &alone,
                              const AlternativesSearch &search,
                              const std::function<double(const Decisions &)> &price);

}  // namespace emulsion
