// Constant nodes, the other way in which ONNX models hold weights.
#pragma once

#include <memory>
#include <string>

#include "frontend/onnx/refused.h"
#include "fusion/error.h"

namespace onnx {
class AttributeProto;
class GraphProto;
class TensorProto;
}  // namespace onnx

namespace emulsion {

// The value of a Constant node whose attribute `name` is `attribute`, without a name. A tensor is
// shared with `owner`, which the attribute lies in. Throws Error for values that are no dense numbers.
std::shared_ptr<const onnx::TensorProto> constant_value(const std::string &name,
                                                        const onnx::AttributeProto &attribute,
                                                        const std::shared_ptr<const void> &owner,
                                                        const ErrorPlace &place);

// Turns Constant nodes into initializers; those whose values are no dense numbers are added to `refused`.
// Other nodes stay where they are in memory.
void constants_to_initializers(onnx::GraphProto &graph, Refused &refused);

}  // namespace emulsion
