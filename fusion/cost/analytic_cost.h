// The cost model where nothing is measured but a machine's few constants: arithmetic, traffic and
// start-up of the best placement of a group (fusion/cost/placed_cost.h). Groups of the same structure and
// shapes are priced once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

// What has been priced for one machine, in whatever graph: the groups of several plans of a problem are mostly the
// same.
struct KnownPrices {
    std::map<std::string, int> classes;  // of operators that are alike, by description
    // By structure; placements in positions of members.
    std::map<std::vector<int>, GroupPrice> groups;
};

class AnalyticCost : public GroupCost {
public:
    // `free_operators` (by operator) need no kernel where they are alone: views, and concatenations whose
    // operands are slices. The graph must live as long, and `known`, which is of this machine.
    AnalyticCost(const OperatorGraph &graph, const Machine &machine,
                 std::vector<bool> free_operators = {}, KnownPrices *known = nullptr);

    GroupPrice price(const std::vector<int> &members) const override;
    double least_cycles(int op) const override;

private:
    bool is_free(int op) const {
        return static_cast<size_t>(op) < free_.size() && free_[static_cast<size_t>(op)];
    }
    void find_least_cycles();
    std::vector<int> structure_of(const std::vector<int> &members) const;

    const OperatorGraph &graph_;
    Machine machine_;
    std::vector<bool> free_;
    std::vector<double> least_;  // by operator
    std::vector<int> class_of_;  // by operator: equal for those that are alike
    mutable KnownPrices own_;
    KnownPrices &known_;
};

}  // namespace emulsion
