// Reshape: the same elements in the same order in the shape that compile-time operand 1 gives, where
// -1 stands for what remains and 0, unless allowzero is set, for the extent of the same axis.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/coordinates.h"

namespace emulsion {

namespace {

constexpr int kReshapeShape = 1;

std::vector<int64_t> target_shape(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    std::vector<int64_t> shape = constant_integers(context, kReshapeShape);
    const std::string text = to_string(shape);
    const bool copy_zeros = context.node().integer("allowzero", 0) == 0;
    int64_t known = 1;
    int64_t *unknown = nullptr;
    for (size_t i = 0; i < shape.size(); i++) {
        if (shape[i] == 0 && copy_zeros) {
            if (i >= x.size()) {
                refuse(context, fmt::format("operand shape is {}: its 0 at position {} copies an "
                                            "axis that the tensor of shape {} does not have",
                                            text, i, to_string(x)));
            }
            shape[i] = x[i];
        }
        if (shape[i] == -1) {
            if (unknown != nullptr) {
                refuse(context,
                       fmt::format("operand shape is {}: at most one -1 is accepted", text));
            }
            unknown = &shape[i];
        } else if (shape[i] < 0) {
            refuse(context, fmt::format("operand shape is {}: extents can't be negative", text));
        } else {
            known = count_elements(context, {known, shape[i]});
        }
    }
    if (unknown != nullptr) {
        const int64_t count = count_elements(context, x);
        if (known == 0 || count % known != 0) {
            refuse(context, fmt::format("operand shape is {}: no extent in place of -1 gives {} "
                                        "elements",
                                        text, count));
        }
        *unknown = count / known;
    }
    return shape;
}

void check_reshape_node(const OperatorContext &context) {
    require_type(context, kReshapeShape, {DataType::I64});
    require_rank(context, kReshapeShape, 1);
    check_reshape(context, target_shape(context));
}

}  // namespace

const Operator &onnx_reshape() {
    static const Operator reshape = {
        .type = "Reshape",
        .check = check_reshape_node,
        .implementations = {{.name = "direct", .build = build_reshape}},
        .compile_time_input = [](int index) { return index == kReshapeShape; },
    };
    return reshape;
}

}  // namespace emulsion
