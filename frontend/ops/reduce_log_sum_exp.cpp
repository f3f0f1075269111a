// ReduceLogSumExp: log(sum of exp(x)) over axes, as m + log(sum of exp(x - m)) with the largest element m,
// so that exp does not overflow.
#include "frontend/ops/support/convert.h"
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/reduce.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

Func build_reduce_log_sum_exp(OperatorContext &context) {
    const Access x = context.operand(0);
    const ReducedAxes reduced(context.input_shape(0), reduced_axes(context));
    const Halide::Type type = halide_type(context.input(0).type);
    const Halide::Type real = real_accumulator(type);
    const std::vector<Halide::Var> v = axes(context.result().rank());
    const std::vector<Expr> kept = to_exprs(keeps_axes(context) ? reduced.kept(v) : v);
    if (reduced.none()) {
        Func result = context.func("");
        // log(exp(x))
        result(v) = x(kept);
        return result;
    }
    const auto element = [&] { return Halide::cast(real, x(reduced.coordinates(kept))); };
    Func largest = max_over(context, "max", v, element());
    Func sum = sum_over(context, "sum", v, exponential(element() - largest(v)));
    // An infinite m is the result: it must not be subtracted from itself.
    const Expr total =
        Halide::select(Halide::is_inf(largest(v)), largest(v), logarithm(sum(v)) + largest(v));
    Func result = context.func("");
    result(v) = convert(total, type);
    return result;
}

}  // namespace

const Operator &onnx_reduce_log_sum_exp() {
    static const Operator reduce_log_sum_exp =
        reduce_operator("ReduceLogSumExp", kReduceTypes, build_reduce_log_sum_exp);
    return reduce_log_sum_exp;
}

}  // namespace emulsion
