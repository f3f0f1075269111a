// Products of transformed tiles and transformed weights (support/winograd.h): of V(place, ..., c) and U(place, c, o),
// M(place, ..., o) is the sum over the channels c of V(place, ..., c) U(place, c, o). Transforming them back makes the
// errors of these sums larger, so that they are summed up in blocks of channels.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

namespace {

void check_winograd_product(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1});
    const std::vector<int64_t> v = context.input_shape(0), u = context.input_shape(1);
    if (v.size() < 2 || u.size() != 3 || u[0] != v.front() || u[1] != v.back()) {
        refuse(context,
               "tiles of shape " + to_string(v) + " don't fit weights of shape " + to_string(u));
    }
    std::vector<int64_t> shape = v;
    shape.back() = u[2];
    require_output(context, shape);
}

Func build_winograd_product(OperatorContext &context) {
    const Access tiles = context.operand(0), weights = context.operand(1);
    const std::vector<Var> v = axes(static_cast<int>(context.result_shape().size()));
    const Expr c = reduction_axes({context.input_shape(0).back()})[0];
    std::vector<Expr> at_tiles = to_exprs(v);
    at_tiles.back() = c;
    Func sum = context.func("sum");
    sum(v) = Halide::Internal::make_zero(halide_type(context.input(0).type));
    sum(v) += tiles(at_tiles) * weights({v.front(), c, v.back()});
    Func result = context.func("");
    result(v) = sum(v);
    return result;
}

}  // namespace

const Operator &onnx_winograd_product() {
    static const Operator winograd_product = {
        .type = "WinogradProduct",
        .domain = kOwnDomain,
        .check = check_winograd_product,
        .implementations = {{.name = "direct",
                             .build = build_winograd_product,
                             .sum_block = kWinogradSumBlock}},
    };
    return winograd_product;
}

}  // namespace emulsion
