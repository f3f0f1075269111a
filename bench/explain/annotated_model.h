// The planned graph as an ONNX model whose nodes say which group they are in: for viewers of models.
#pragma once

#include <string>

#include "bench/explain/explanation.h"
#include "frontend/graph/graph.h"

namespace emulsion {

// Writes `graph`, which `explanation` is of, to `path`, and weights beyond 2 GiB to `path`.data. Every
// node has metadata: emulsion.group (number of the kernel, or "view"), emulsion.group_label,
// emulsion.placement and emulsion.loop_nest. Throws Error (failed) when that is impossible.
void write_annotated_model(const Graph &graph, const Explanation &explanation,
                           const std::string &path);

}  // namespace emulsion
