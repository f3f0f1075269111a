// DepthToSpace: channels become blocks of pixels. With C' = C / b^2 channels left and (h, w) in the
// result, X's channel is
//
//     mode DCR   ((h mod b) b + w mod b) C' + c        at (h / b, w / b)
//     mode CRD   c b^2 + (h mod b) b + w mod b
#include "frontend/ops/support/blocks.h"
#include "frontend/ops/support/checks.h"

#include <fmt/format.h>

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_depth_to_space(const OperatorContext &context) {
    require_rank(context, 0, 4);
    const std::string mode = context.node().text("mode", "DCR");
    if (mode != "DCR" && mode != "CRD") {
        refuse(context, fmt::format("attribute mode is '{}'; accepted: DCR, CRD", mode));
    }
    const std::vector<int64_t> x = context.input_shape(0);
    const int64_t block = block_size(context);
    if (x[1] % (block * block) != 0) {
        refuse(context, fmt::format("attribute blocksize is {}; its square must divide the {} "
                                    "channels",
                                    block, x[1]));
    }
    require_output(context, {x[0], x[1] / (block * block), x[2] * block, x[3] * block});
}

Func build_depth_to_space(OperatorContext &context) {
    const Access x = context.operand(0);
    const auto block = static_cast<int>(block_size(context));
    const auto channels = static_cast<int>(context.result_shape()[1]);
    const std::vector<Halide::Var> v = axes(4);
    const Expr within = v[2] % block * block + v[3] % block;
    const Expr channel = context.node().text("mode", "DCR") == "DCR"
                             ? within * channels + v[1]
                             : v[1] * (block * block) + within;
    Func result = context.func("");
    result(v) = x({v[0], channel, v[2] / block, v[3] / block});
    return result;
}

}  // namespace

const Operator &onnx_depth_to_space() {
    static const Operator depth_to_space = {
        .type = "DepthToSpace",
        .check = check_depth_to_space,
        .implementations = {{.name = "direct", .build = build_depth_to_space}},
    };
    return depth_to_space;
}

}  // namespace emulsion
