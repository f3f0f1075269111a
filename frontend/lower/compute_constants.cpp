#include "frontend/lower/compute_constants.h"

#include "frontend/lower/evaluate.h"

namespace emulsion {

void compute_constants(PlannedNetwork &network) {
    for (const Node &node : network.constant_nodes) {
        network.graph.tensor(node.result()).constant = evaluate(network.graph, node).at(0);
    }
    network.constant_nodes.clear();
}

}  // namespace emulsion
