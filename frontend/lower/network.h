// A network planned: the graph, what the planner made of it, and the units to compile.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/lower/unit.h"
#include "fusion/group_cost.h"
#include "fusion/machine_constants.h"
#include "fusion/operator_choice.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"
#include "fusion/search/search.h"

namespace emulsion {

struct Policy;
struct TunedNests;
class NestPredictor;

// A plan from a file (frontend/lower/network_plan.h).
struct RecordedPlan {
    Plan plan;
    std::string structure;  // of the graph that it is of (structure_hash)
    std::string file;       // for messages
};

struct PlanOptions {
    std::string policy = "gao2025";
    std::string target = "host";  // as users name it (frontend/lower/target.h)
    int threads = 1;              // workers the plan counts on
    bool exact = false;
    bool checked = false;      // keep asserts and bounds queries in the units
    MachineConstants machine;  // in the place of those of a typical machine
    int64_t search_budget = SearchOptions().budget;
    // Of operators of the model, by name: the implementation that they take whatever it costs.
    std::map<std::string, std::string> implementations;
    // A plan to make again in the place of a search; `policy`, `search_budget` and `implementations` are not read
    // then.
    std::shared_ptr<const RecordedPlan> replay;
    // Loop nests to take where the plan has their groups, in the place of the planner's.
    std::shared_ptr<const TunedNests> tuned;
    // What picks loop nests for groups that `tuned` does not have; null: these take the planner's.
    std::shared_ptr<const NestPredictor> predictor{};
    // What plans are judged by (measured prices, for instance); null: the analytic model of the machine.
    std::shared_ptr<CostSource> costs{};
};

// One launch of a planned network.
struct PlannedLaunch {
    Unit unit;
    std::string label;        // operators in it, "conv1+relu1", for profiles and messages
    std::vector<int> inputs;  // planned values, one per unit input
    int output = -1;          // planned value
};

struct PlannedNetwork {
    // Of the implementations that were decided: nodes in the order of `operators`, tensors as the model's graph
    // has them and more.
    Graph graph;
    std::vector<Node>
        constant_nodes;  // make constants of `graph` that have no data yet (compute_constants)
    std::vector<OperatorChoice> choices;  // in the model's order
    OperatorGraph operators;              // with the order of every value
    OperatorGraph copies;  // what conversions compute, named as their groups' members are
    Plan plan;             // values and groups in terms of the whole network
    std::vector<TensorId> value_tensor;  // graph tensor of each planned value
    std::vector<PlannedLaunch> launches;
    std::string target;  // canonical name
    bool on_gpu = false;
    Machine machine;           // that it was planned for
    int tuned_groups = 0;      // that have loop nests of PlanOptions::tuned
    int predicted_groups = 0;  // ... of PlanOptions::predictor
    int operator_count = 0;    // N0 of the fusion ratio (nodes without Constant,
                               // Identity, Dropout, after folding)

    // The graph whose operators the members of `group` are.
    const OperatorGraph &operators_of(const PlannedGroup &group) const {
        return group.kind == GroupKind::Convert ? copies : operators;
    }
    // By launch, the position of its group in the plan: all are launched but views.
    std::vector<size_t> launched_groups() const;
};

// The machine that `options` describe; of chips, the figures of the table in fusion/chips.cpp, whatever
// `options.machine` says. Throws Error for an unknown target and for constants that no machine
// has.
Machine machine_for(const PlanOptions &options);

// Plans a graph that has been through the passes. Throws Error for operators that are unknown or
// whose check refuses, for symbolic dimensions, and for unknown policies and targets.
PlannedNetwork plan_network(const Graph &graph, const PlanOptions &options);
// With a policy that has no file in fusion/policies/, for experiments; `options.policy` is not read.
PlannedNetwork plan_network(const Graph &graph, const PlanOptions &options, const Policy &policy);

}  // namespace emulsion
