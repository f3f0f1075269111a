// EyeLike: 1 where the column is the row plus k, 0 elsewhere, in the shape of the operand.
#include <algorithm>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Func;

namespace {

void check_eye_like(const OperatorContext &context) {
    require_rank(context, 0, 2);
    // The loader has typed the result by attribute dtype.
    const DataType type =
        context.node().has("dtype") ? context.result().type : context.input(0).type;
    require_result(context, context.input_shape(0), type);
}

Func build_eye_like(OperatorContext &context) {
    const std::vector<int64_t> shape = context.input_shape(0);
    // Diagonals outside of the matrix are all alike.
    const auto k =
        static_cast<int>(std::clamp(context.node().integer("k", 0), -shape[0], shape[1]));
    const std::vector<Halide::Var> v = axes(2);
    Func eye = context.func("");
    eye(v) = Halide::cast(halide_type(context.result().type), v[1] - v[0] == k);
    return eye;
}

}  // namespace

const Operator &onnx_eye_like() {
    static const Operator eye_like = {
        .type = "EyeLike",
        .check = check_eye_like,
        .implementations = {{.name = "direct", .build = build_eye_like}},
        .compile_time_input = [](int) { return true; },
    };
    return eye_like;
}

}  // namespace emulsion
