// The cost model where nothing is measured but a machine's few constants: arithmetic, traffic and
// start-up of the best placement of a group (fusion/cost/placed_cost.h). Groups of the same structure and
// shapes are priced once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

// What has been priced for one machine, in whatever graph: the groups of several plans of a problem are mostly the
// same.
struct KnownPrices {
    std::map<std::string, int> classes;  // equivalence classes of operators, by description
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
    std::vector<int> class_of_;  // by operator: its equivalence class
    mutable KnownPrices own_;
    KnownPrices &known_;
};

// The analytic model of one machine for whatever graph; prices are shared between graphs.
class AnalyticCosts : public CostSource {
public:
    explicit AnalyticCosts(const Machine &machine) : machine_(machine) {}

    std::unique_ptr<GroupCost> cost_of(const OperatorGraph &graph,
                                       std::vector<bool> free_operators) override {
        return std::make_unique<AnalyticCost>(graph, machine_, std::move(free_operators), &known_);
    }

private:
    Machine machine_;
    KnownPrices known_;
};

}  // namespace emulsion
