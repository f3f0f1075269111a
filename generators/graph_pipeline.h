// The Funcs of a whole graph for one pipeline.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/lower/context.h"

namespace emulsion {

// Halide's compiler fails on pipelines of about 400 Funcs.
constexpr int kMaxStages = 300;

// One Func for each output of `graph`. `sources` has all inputs, and the constants that are read.
// Throws Error for what operators refuse, and for more than kMaxStages Funcs.
std::vector<Halide::Func> build_pipeline(const Graph &graph,
                                         std::map<TensorId, TensorSource> sources);

// Names for the arguments of a pipeline: those of the tensors where Halide accepts them, otherwise
// `kind` and the position.
std::vector<std::string> port_names(const Graph &graph, const std::vector<TensorId> &tensors,
                                    const std::string &kind);

// Strides of dense elements in row-major order.
std::vector<int> row_major_strides(const std::vector<int64_t> &extents);

}  // namespace emulsion
