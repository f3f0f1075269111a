// LayerNormalization over axes `axis` .. rank-1: (x - mean) / sqrt(variance + epsilon) * scale + B, the
// latter two broadcast. The other results are the mean and 1 / sqrt(variance + epsilon).
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/normalization.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kLayerNormalizationScale = 1;
constexpr int kBias = 2;
enum Result { kNormalized, kMean, kInverseDeviation };

void check_layer_normalization(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    // The other results read neither scale nor bias, and may be lowered without them.
    if (context.result_index() == kNormalized) {
        require_type(context, kLayerNormalizationScale, {context.input(0).type});
    }
    require_type_of_first(context, {kLayerNormalizationScale, kBias});
    require_stash_type(context);
    require_broadcastable(context, kLayerNormalizationScale);
    require_broadcastable(context, kBias);
    const ReducedAxes reduced = trailing_axes(context);
    if (context.result_index() == kNormalized) {
        require_output(context, context.input_shape(0));
    } else {
        require_result(context, reduced.result_shape(true), DataType::F32);
    }
}

// The result at `v`, whatever it is.
Expr result_value(OperatorContext &context, const std::vector<Halide::Var> &v) {
    const Access x = context.operand(0);
    const ReducedAxes reduced = trailing_axes(context);
    const Halide::Type type = halide_type(context.input(0).type);
    const Halide::Type stash = stash_type(context);
    const std::vector<Halide::Var> kept = reduced.kept(v);
    const SetElement element = [&](const std::vector<Expr> &along) {
        return Halide::cast(stash, x(reduced.coordinates(to_exprs(kept), along)));
    };
    if (context.result_index() == kMean) {
        return Halide::cast<float>(mean(context, kept, reduced.extents(), element));
    }
    const Moments m = moments(context, kept, reduced.extents(), element);
    const Expr inverse = inverse_deviation(m.variance, context.node().real("epsilon", 1e-5));
    if (context.result_index() == kInverseDeviation) {
        return Halide::cast<float>(inverse);
    }
    const std::vector<Expr> at = to_exprs(v);
    const Expr normalized = (Halide::cast(stash, x(at)) - m.mean) * inverse;
    const Expr scaled =
        Halide::cast(type, normalized) * broadcast_operand(context, kLayerNormalizationScale, at);
    return context.has_input(kBias) ? scaled + broadcast_operand(context, kBias, at) : scaled;
}

Func build_layer_normalization(OperatorContext &context) {
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const Expr value = result_value(context, v);
    Func result = context.func("");
    result(v) = value;
    return result;
}

}  // namespace

const Operator &onnx_layer_normalization() {
    static const Operator layer_normalization = {
        .type = "LayerNormalization",
        .check = check_layer_normalization,
        .implementations = {{.name = "direct", .build = build_layer_normalization}},
    };
    return layer_normalization;
}

}  // namespace emulsion
