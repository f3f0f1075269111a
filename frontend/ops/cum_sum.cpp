// CumSum: sums of the first elements along the axis that compile-time operand 1 names; without the
// element itself if `exclusive`, of the last elements if `reverse`.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kAxis = 1;

int scanned_axis(const OperatorContext &context) {
    if (!context.has_input(kAxis)) {
        refuse(context, "operand 1 (axis) is missing");
    }
    const std::vector<int64_t> axis = constant_integers(context, kAxis);
    if (axis.size() != 1) {
        refuse(context, describe_input(context, kAxis) + " must be one number, the axis");
    }
    return normalize_axis(context, axis[0], context.input(0).rank(), "operand axis");
}

void check_cum_sum(const OperatorContext &context) {
    require_type(context, 0, kMatrixTypes);
    scanned_axis(context);
    require_output(context, context.input_shape(0));
}

Func build_cum_sum(OperatorContext &context) {
    const Access x = context.operand(0);
    const auto axis = static_cast<size_t>(scanned_axis(context));
    const int last = static_cast<int>(context.input_shape(0)[axis]) - 1;
    const bool exclusive = context.node().integer("exclusive", 0) != 0;
    const bool reverse = context.node().integer("reverse", 0) != 0;
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const auto on_axis = [&](const Expr &along) {
        std::vector<Expr> at = to_exprs(v);
        at[axis] = along;
        return at;
    };
    // Where the element is that comes `nth`, and the other way round.
    const auto order = [&](const Expr &nth) { return reverse ? last - nth : nth; };

    const Expr zero = Halide::Internal::make_zero(halide_type(context.input(0).type));
    if (last == 0) {
        // Nothing comes before the only element, but what reads its operand is an operator like others.
        Func result = context.func("");
        result(v) = exclusive ? Halide::select(v[axis] == 0, zero, x(to_exprs(v))) : x(to_exprs(v));
        return result;
    }
    // Sums in the order of the scan: each is the one before it and an element.
    Func sums = context.func("sums");
    sums(v) = x(on_axis(order(v[axis])));
    const Expr r = reduction_axes({last})[0];
    sums(on_axis(r + 1)) += sums(on_axis(r));

    const Expr nth = order(v[axis]);
    Func result = context.func("");
    result(v) = exclusive ? Halide::select(nth == 0, zero, sums(on_axis(Halide::max(nth - 1, 0))))
                          : sums(on_axis(nth));
    return result;
}

}  // namespace

const Operator &onnx_cum_sum() {
    static const Operator cum_sum = {
        .type = "CumSum",
        .check = check_cum_sum,
        .implementations = {{.name = "direct", .build = build_cum_sum}},
        .compile_time_input = [](int index) { return index == kAxis; },
    };
    return cum_sum;
}

}  // namespace emulsion
