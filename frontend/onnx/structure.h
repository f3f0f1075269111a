// The shape of a model before the onnx library sees it: what must be there, what Emulsion's graph
// can't hold, and names. The onnx checker repeats some of this; here the messages name the node.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/onnx/loader.h"
#include "frontend/onnx/refused.h"

namespace onnx {
class ModelProto;
}

namespace emulsion {

// Refuses models without graph or opset, with sparse weights, with too many nodes, or with values that are
// made twice or never; in functions and in branches alike. Nodes that the tensor graph can't hold (loops),
// and those of operators that ONNX doesn't know, are added to `refused`. Gives every node of the graph a
// name ("OPTYPE_INDEX" where it has none) and its index (set_index).
void check_structure(onnx::ModelProto &model, const LoadLimits &limits, Refused &refused);

// Opset of ai.onnx that the model imports. Throws Error if there is none, or more than one.
int64_t imported_opset(const onnx::ModelProto &model);

// ai.onnx is the default domain, "".
std::string default_domain(const std::string &domain);

}  // namespace emulsion
