// Random nodes of a given operator, from what ONNX's definition says about it: how many operands of
// which types it has, and what its attributes are called. So new operators need no line here.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "frontend/graph/graph.h"
#include "frontend/zoo/random.h"
#include "tests/fuzz/hostile_values.h"

namespace emulsion::fuzz {

// A model with one node of type `type`. Its operands are graph inputs or constants, and its results
// are the graph's outputs, of types that are left to be inferred.
onnx::ModelProto model_of_node(const std::string &type, PortableRandom &random,
                               Hostility hostility);

// The same as a tensor graph that no loader has seen: results of any shape, operands of any type, an
// operand more or less, attributes of another kind than ONNX gives them.
Graph graph_of_node(const std::string &type, PortableRandom &random, Hostility hostility);

}  // namespace emulsion::fuzz
