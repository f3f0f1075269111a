// Size: the operand's number of elements.
#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Func;

namespace {

void check_size(const OperatorContext &context) {
    count_elements(context, context.input_shape(0));
    require_result(context, {}, DataType::I64);
}

Func build_size(OperatorContext &context) {
    const int64_t count = count_elements(context, context.input_shape(0));
    Func size = context.func("");
    size() = Halide::Internal::make_const(Halide::Int(64), count);
    return size;
}

}  // namespace

const Operator &onnx_size() {
    static const Operator size = {
        .type = "Size",
        .check = check_size,
        .implementations = {{.name = "direct", .build = build_size}},
        .compile_time_input = [](int) { return true; },
    };
    return size;
}

}  // namespace emulsion
