// MeanVarianceNormalization: (x - mean) / (standard deviation + 1e-9) over attribute axes, [0, 2, 3]
// unless it says otherwise.
#include <algorithm>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/normalization.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

// What the ONNX definition adds to the deviation.
constexpr double kEpsilon = 1e-9;

std::vector<int> normalized_axes(const OperatorContext &context) {
    std::vector<int> result;
    for (const int64_t axis : context.node().integers("axes", {0, 2, 3})) {
        result.push_back(
            normalize_axis(context, axis, context.input(0).rank(), "an element of attribute axes"));
    }
    std::sort(result.begin(), result.end());
    if (std::adjacent_find(result.begin(), result.end()) != result.end()) {
        refuse(context, "attribute axes names an axis twice");
    }
    // As for a reduction.
    return result.empty() ? axes_from(0, context.input(0).rank()) : result;
}

void check_mean_variance_normalization(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    if (context.input(0).rank() == 0) {
        refuse(context, "operand 0 is a scalar; rank 1 or more is needed");
    }
    normalized_axes(context);
    require_output(context, context.input_shape(0));
}

Func build_mean_variance_normalization(OperatorContext &context) {
    const Access x = context.operand(0);
    const ReducedAxes reduced(context.input_shape(0), normalized_axes(context));
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const std::vector<Halide::Var> kept = reduced.kept(v);
    const Moments m =
        moments(context, kept, reduced.extents(), [&](const std::vector<Expr> &along) {
            return x(reduced.coordinates(to_exprs(kept), along));
        });
    Func result = context.func("");
    result(v) =
        (x(to_exprs(v)) - m.mean) /
        (Halide::sqrt(m.variance) + Halide::Internal::make_const(m.variance.type(), kEpsilon));
    return result;
}

}  // namespace

const Operator &onnx_mean_variance_normalization() {
    static const Operator mean_variance_normalization = {
        .type = "MeanVarianceNormalization",
        .check = check_mean_variance_normalization,
        .implementations = {{.name = "direct", .build = build_mean_variance_normalization}},
    };
    return mean_variance_normalization;
}

}  // namespace emulsion
