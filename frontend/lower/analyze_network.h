// The operator graph of a network: every node's Funcs, built once on their own and analysed.
#pragma once

#include <vector>

#include "frontend/graph/graph.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

struct NetworkAnalysis {
    OperatorGraph operators;             // one per node, same order
    std::vector<TensorId> value_tensor;  // graph tensor of each value
};

// Throws UnsupportedModel for operators that supported_operator refuses.
NetworkAnalysis analyze_network(const Graph &graph, const Machine &machine, bool exact);

}  // namespace emulsion
