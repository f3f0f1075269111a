// SpaceToDepth: blocks of pixels become channels: Y(n, (i b + j) C + c, h, w) = X(n, c, h b + i,
// w b + j).
#include "frontend/ops/support/blocks.h"
#include "frontend/ops/support/checks.h"

#include <fmt/format.h>

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check(const OperatorContext &context) {
    require_rank(context, 0, 4);
    const std::vector<int64_t> x = context.input_shape(0);
    const int64_t block = block_size(context);
    if (x[2] % block != 0 || x[3] % block != 0) {
        refuse(context, fmt::format("attribute blocksize is {}; it must divide {} rows and {} "
                                    "columns",
                                    block, x[2], x[3]));
    }
    require_output(context, {x[0], x[1] * block * block, x[2] / block, x[3] / block});
}

Func build(OperatorContext &context) {
    const Access x = context.operand(0);
    const auto block = static_cast<int>(block_size(context));
    const auto channels = static_cast<int>(context.input_shape(0)[1]);
    const std::vector<Halide::Var> v = axes(4);
    const Expr within = v[1] / channels;
    Func result = context.func("");
    result(v) =
        x({v[0], v[1] % channels, v[2] * block + within / block, v[3] * block + within % block});
    return result;
}

}  // namespace

const Operator &onnx_space_to_depth() {
    static const Operator space_to_depth = {
        .type = "SpaceToDepth",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
    };
    return space_to_depth;
}

}  // namespace emulsion
