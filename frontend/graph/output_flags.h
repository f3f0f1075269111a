// Which tensors are graph outputs, for many questions: Graph::is_output is linear in the outputs.
#pragma once

#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

// For each tensor, whether it is a graph output.
inline std::vector<bool> output_flags(const Graph &graph) {
    std::vector<bool> flags(graph.tensors.size(), false);
    for (const TensorId id : graph.outputs) {
        flags.at(static_cast<size_t>(id)) = true;
    }
    return flags;
}

}  // namespace emulsion
