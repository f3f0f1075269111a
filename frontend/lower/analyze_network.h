// The planner's problem of a network: every node with all ways to compute it, its Funcs built once on their own and
// analysed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "fusion/machine.h"
#include "fusion/problem.h"

namespace emulsion {

struct NetworkAnalysis {
    Problem problem;  // one operator per node of the model, same order and names
    // The model's, and behind its nodes those of alternatives that are several operators; of these, some make a
    // tensor that the model's node makes as well.
    Graph graph;
    std::vector<TensorId> value_tensor;     // by value of the problem
    std::map<std::string, int> node_named;  // node of the graph, by name of the planner's operator
    std::vector<int> constant_nodes;        // nodes of alternatives that read constants only

    // The planner's graph if every operator takes its first implementation.
    OperatorGraph default_operators() const { return decide(problem, {}).graph; }
};

// Throws UnsupportedModel for operators that supported_operator refuses.
NetworkAnalysis analyze_network(const Graph &graph, const Machine &machine, bool exact);

// A network whose implementations are decided.
struct DecidedNetwork {
    Graph graph;                         // one node per operator, in their order
    std::vector<TensorId> value_tensor;  // by value of the decided graph
    // What makes constants that have no data yet of others, in order (compute_constants).
    std::vector<Node> constant_nodes;
};

DecidedNetwork decided_network(const NetworkAnalysis &analysis, const DecidedGraph &decided);

}  // namespace emulsion
