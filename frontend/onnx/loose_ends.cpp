#include "frontend/onnx/loose_ends.h"

#include <vector>

#include "frontend/graph/output_flags.h"

namespace emulsion {

void hand_out_loose_ends(Graph &graph, const std::set<TensorId> &read) {
    const std::vector<int> producers = graph.producers();
    std::vector<bool> handed_out = output_flags(graph);
    for (const TensorId id : read) {
        const auto position = static_cast<size_t>(id);
        if (producers[position] >= 0 && !handed_out[position]) {
            handed_out[position] = true;
            graph.outputs.push_back(id);
        }
    }
}

}  // namespace emulsion
