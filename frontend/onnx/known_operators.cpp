#include "frontend/onnx/known_operators.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <string>

#include "frontend/onnx/function_body.h"
#include "frontend/onnx/upgrade.h"
#include "frontend/ops/operator.h"

namespace emulsion {

bool has_operator(const BodyNode &node) {
    const std::string &type = node.proto->op_type();
    if (type == "Constant" || type == "If") {
        return true;
    }
    const onnx::OpSchema *schema =
        onnx::OpSchemaRegistry::Schema(type, static_cast<int>(node.opset), "");
    return schema == nullptr || has_body(*schema) ||
           find_operator("", upgraded_type(type, schema->since_version())) != nullptr;
}

}  // namespace emulsion
