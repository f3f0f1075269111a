// The Funcs of a small graph (the nodes of one group), built from its operators' implementations.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/lower/context.h"

namespace emulsion {

struct GroupFuncs {
    std::vector<Halide::Func> outputs;      // one per graph output
    std::vector<Halide::Parameter> inputs;  // one per graph input, in order
};

// `layouts`: one per graph input, then one per graph output. Func names are the nodes' names, buffer
// names those of the tensors. `implementations` by node name; absent: the first that applies.
// The interface of the Funcs (bounds and strides of buffers) is fixed to the layouts.
GroupFuncs build_group(const Graph &graph, const std::vector<Layout> &layouts,
                       const std::map<std::string, std::string> &implementations = {});

}  // namespace emulsion
