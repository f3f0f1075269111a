// InstanceNormalization: (x - mean) / sqrt(variance + epsilon) * scale + B over the axes behind the
// channels, scale and B one per channel.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/normalization.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_instance_normalization(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_spatial_axes(context, 0);
    const std::vector<int64_t> x = context.input_shape(0);
    for (const int index : {1, 2}) {
        require_type(context, index, {context.input(0).type});
        require_shape(context, index, {x[1]}, "there is one value per channel");
    }
    require_output(context, x);
}

Func build_instance_normalization(OperatorContext &context) {
    const Access x = context.operand(0);
    const int rank = context.input(0).rank();
    const ReducedAxes reduced(context.input_shape(0), axes_from(2, rank));
    const std::vector<Halide::Var> v = axes(rank);
    const std::vector<Halide::Var> kept = reduced.kept(v);
    const Moments m =
        moments(context, kept, reduced.extents(), [&](const std::vector<Expr> &along) {
            return x(reduced.coordinates(to_exprs(kept), along));
        });
    const Expr scale = context.operand(1)({v[1]}) *
                       inverse_deviation(m.variance, context.node().real("epsilon", 1e-5));
    Func result = context.func("");
    result(v) = (x(to_exprs(v)) - m.mean) * scale + context.operand(2)({v[1]});
    return result;
}

}  // namespace

const Operator &onnx_instance_normalization() {
    static const Operator instance_normalization = {
        .type = "InstanceNormalization",
        .check = check_instance_normalization,
        .implementations = {{.name = "direct", .build = build_instance_normalization}},
    };
    return instance_normalization;
}

}  // namespace emulsion
