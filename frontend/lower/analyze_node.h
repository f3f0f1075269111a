// One node as the planner sees it: its Funcs, built on their own and analysed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/ops/operator.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

struct NodeToAnalyze {
    const Graph &graph;
    const Node &node;
    std::string name;  // of its Funcs
    const Implementation &implementation;
};

// Analyses nodes for one machine. Networks repeat their layers: nodes that are alike in all but names and weights are
// analysed once.
class NodeAnalyzer {
public:
    explicit NodeAnalyzer(const Machine &machine) : machine_(machine) {}

    // `value`: the planner's value of a tensor that the node reads, which is then among `values`.
    ImplementationChoice analyze(const NodeToAnalyze &subject, const std::vector<Value> &values,
                                 const std::function<int(TensorId)> &value);
    // What copies a tensor, whose value is `copied`, into another layout (Value::copy).
    ImplementationChoice analyze_copy(const Tensor &tensor, const Value &copied);

private:
    const Machine &machine_;
    // Of nodes that are alike; operands are positions among the node's inputs.
    std::map<std::string, ImplementationChoice> known_;
};

}  // namespace emulsion
