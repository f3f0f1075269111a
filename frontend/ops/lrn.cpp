// LRN, local response normalisation: x / (bias + alpha / size * s)^beta, where s is the sum of the
// squares of `size` neighbouring channels, as many as there are of them.
#include <algorithm>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_lrn(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    if (context.input(0).rank() < 2) {
        refuse(context, "operand 0 has no channel axis; rank 2 or more is needed");
    }
    if (!context.node().has("size")) {
        refuse(context, "attribute size is missing");
    }
    const int64_t size = context.node().integer("size", 1);
    if (size < 1) {
        refuse(context, fmt::format("attribute size is {}; it must be 1 or more", size));
    }
    require_output(context, context.input_shape(0));
}

Func build_lrn(OperatorContext &context) {
    const std::vector<int64_t> shape = context.input_shape(0);
    const int64_t size = context.node().integer("size", 1);
    // Channels that are further away than there are any add nothing.
    const int64_t before = std::min((size - 1) / 2, shape[1] - 1);
    const int64_t after = std::min(size - 1 - (size - 1) / 2, shape[1] - 1);
    Padding padding = {.margin = std::vector<Margin>(shape.size())};
    padding.margin[1] = {before, after};
    const Access x = after == 0 ? context.operand(0) : context.padded_operand(0, padding);
    const std::vector<Halide::Var> v = axes(static_cast<int>(shape.size()));

    std::vector<Expr> at = to_exprs(v);
    at[1] = v[1] + reduction_axes({before + 1 + after})[0] - static_cast<int>(before);
    const Expr neighbour = x(at);
    Func sum = sum_over(context, "sum", v, neighbour * neighbour);

    const Halide::Type type = halide_type(context.input(0).type);
    const auto number = [&](double value) { return Halide::Internal::make_const(type, value); };
    const double alpha = context.node().real("alpha", 1e-4);
    const double beta = context.node().real("beta", 0.75);
    const double bias = context.node().real("bias", 1.0);
    const Expr base = number(bias) + number(alpha / static_cast<double>(size)) * sum(v);
    Func result = context.func("");
    result(v) = x(to_exprs(v)) / Halide::pow(base, number(beta));
    return result;
}

}  // namespace

const Operator &onnx_lrn() {
    static const Operator lrn = {
        .type = "LRN",
        .check = check_lrn,
        .implementations = {{.name = "direct", .build = build_lrn}},
    };
    return lrn;
}

}  // namespace emulsion
