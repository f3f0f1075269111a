// What a group costs: the one interface through which every policy asks. A cost model also says how the
// group is best computed, because that is what its price is for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fusion/placement.h"

namespace emulsion {

struct OperatorGraph;

struct GroupPrice {
    std::string refused;  // why the group can't be computed at all; empty if it can
    double cycles = 0.0;  // of the busiest core
    // Of them, what the work takes where it is dealt out evenly to all cores: in the rest cores start, or wait for
    // others. 0 where nobody knows.
    double busy_cycles = 0.0;
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

// Makes the cost model of every graph that a planner considers: they are variants of one problem (other implementations,
// other layouts), and prices of groups that are alike may be remembered from one to the next. What stands in its place
// decides what plans are judged by: the analytic model, measurements.
class CostSource {
public:
    CostSource() = default;
    CostSource(const CostSource &) = delete;
    CostSource &operator=(const CostSource &) = delete;
    virtual ~CostSource() = default;

    // `graph` lives as long as the model. `free_operators` (by operator) need no kernel where they are alone: views, and
    // concatenations whose operands are slices.
    virtual std::unique_ptr<GroupCost> cost_of(const OperatorGraph &graph,
                                               std::vector<bool> free_operators) = 0;
};

}  // namespace emulsion
