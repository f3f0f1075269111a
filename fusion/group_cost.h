// What a group costs: the one interface through which every policy asks. A cost model also says how the
// group is best computed, because that is what its price is for.
#pragma once

#include <string>
#include <vector>

#include "fusion/placement.h"

namespace emulsion {

struct GroupPrice {
    std::string refused;  // why the group can't be computed at all; empty if it can
    double cycles = 0.0;  // of the busiest core
    GroupPlacement placement;
};

class GroupCost {
public:
    GroupCost() = default;
    GroupCost(const GroupCost &) = delete;
    GroupCost &operator=(const GroupCost &) = delete;
    virtual ~GroupCost() = default;

    // `members` (operator indices, ascending) are a legal group (fusion/legality.h).
    virtual GroupPrice price(const std::vector<int> &members) const = 0;
    // A bound from below: no group costs less than its members' together. 0: nothing is known.
    virtual double least_cycles(int op) const {
        (void)op;
        return 0.0;
    }
};

}  // namespace emulsion
