// SpaceToDepth: blocks of pixels become channels: X(n, c, h b + i, w b + j) is Y(n, k, h, w) with
//
//     mode DCR   k = (i b + j) C + c
//     mode CRD   k = c b b + i b + j
#include "frontend/ops/support/blocks.h"
#include "frontend/ops/support/checks.h"

#include <fmt/format.h>

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_space_to_depth(const OperatorContext &context) {
    require_rank(context, 0, 4);
    const std::vector<int64_t> x = context.input_shape(0);
    const int64_t block = block_size(context);
    if (x[2] % block != 0 || x[3] % block != 0) {
        refuse(context, fmt::format("attribute blocksize is {}; it must divide {} rows and {} "
                                    "columns",
                                    block, x[2], x[3]));
    }
    const std::string mode = context.node().text("mode", "DCR");
    if (mode != "DCR" && mode != "CRD") {
        refuse(context, fmt::format("attribute mode is '{}'; 'DCR' and 'CRD' are known", mode));
    }
    require_output(context, {x[0], x[1] * block * block, x[2] / block, x[3] / block});
}

Func build_space_to_depth(OperatorContext &context) {
    const Access x = context.operand(0);
    const auto block = static_cast<int>(block_size(context));
    const auto channels = static_cast<int>(context.input_shape(0)[1]);
    const std::vector<Halide::Var> v = axes(4);
    const bool channels_first = context.node().text("mode", "DCR") == "CRD";
    const Expr channel = channels_first ? v[1] / (block * block) : v[1] % channels;
    const Expr within = channels_first ? v[1] % (block * block) : v[1] / channels;
    Func result = context.func("");
    result(v) = x({v[0], channel, v[2] * block + within / block, v[3] * block + within % block});
    return result;
}

}  // namespace

const Operator &onnx_space_to_depth() {
    static const Operator space_to_depth = {
        .type = "SpaceToDepth",
        .check = check_space_to_depth,
        .implementations = {{.name = "direct", .build = build_space_to_depth}},
    };
    return space_to_depth;
}

}  // namespace emulsion
