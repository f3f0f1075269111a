// RMSNormalization (of opset 23) over axes `axis` .. rank-1: x / sqrt(mean of x^2 + epsilon) * scale,
// which is broadcast and gives the result its type.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/normalization.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kRmsNormalizationScale = 1;

void check_rms_normalization(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type(context, kRmsNormalizationScale, kFloatTypes);
    require_stash_type(context);
    require_broadcastable(context, kRmsNormalizationScale);
    trailing_axes(context);
    require_result(context, context.input_shape(0), context.input(kRmsNormalizationScale).type);
}

Func build_rms_normalization(OperatorContext &context) {
    const Access x = context.operand(0);
    const ReducedAxes reduced = trailing_axes(context);
    const Halide::Type stash = stash_type(context);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const std::vector<Halide::Var> kept = reduced.kept(v);
    const Expr mean =
        mean_square(context, kept, reduced.extents(), [&](const std::vector<Expr> &along) {
            return Halide::cast(stash, x(reduced.coordinates(to_exprs(kept), along)));
        });
    const Expr inverse = inverse_deviation(mean, context.node().real("epsilon", 1e-5));
    const std::vector<Expr> at = to_exprs(v);
    const Expr scale = broadcast_operand(context, kRmsNormalizationScale, at);
    Func result = context.func("");
    result(v) = Halide::cast(scale.type(), Halide::cast(stash, x(at)) * inverse) * scale;
    return result;
}

}  // namespace

const Operator &onnx_rms_normalization() {
    static const Operator rms_normalization = {
        .type = "RMSNormalization",
        .check = check_rms_normalization,
        .implementations = {{.name = "direct", .build = build_rms_normalization}},
    };
    return rms_normalization;
}

}  // namespace emulsion
