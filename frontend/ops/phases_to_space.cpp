// The results of a convolution of phases at their places (support/convolution_of_phases.h): of Z (n, phases C, a, b) and a
// bias, Y(n, c, h, w) is Z(n, (t % strides[0] strides[1] + u % strides[1]) C + c, t / strides[0], u / strides[1]), where t
// and u are h and w plus the pads, and rows count from the first one that there is.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/convolution_of_phases.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_phases_to_space(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1});
    require_rank(context, 0, 4);
    const std::vector<PhaseAxis> axes = phase_axes(context);
    const std::vector<int64_t> z = context.input_shape(0), y = context.result_shape();
    const int64_t phases = axes[0].stride * axes[1].stride;
    const bool fits = y.size() == 4 && z[1] % phases == 0 && y[2] >= 1 && y[3] >= 1 &&
                      axes[0].rows(y[2]) == z[2] && axes[1].rows(y[3]) == z[3];
    if (!fits) {
        refuse(context, "its phases don't fit the result");
    }
    if (context.has_input(1)) {
        require_shape(context, 1, {z[1] / phases}, "there is one bias per channel");
    }
    require_output(context, {z[0], z[1] / phases, y[2], y[3]});
}

Func build_phases_to_space(OperatorContext &context) {
    const Access z = context.operand(0);
    const std::vector<PhaseAxis> axes_of_phases = phase_axes(context);
    const std::vector<Halide::Var> v = axes(4);
    std::vector<Expr> rows;
    Expr phase = 0;
    for (size_t i = 0; i < 2; i++) {
        const PhaseAxis &axis = axes_of_phases[i];
        const auto stride = static_cast<int>(axis.stride);
        // Counted from the first row on, so that nothing of what is before it is left in the index.
        const Expr t = v[i + 2] + static_cast<int>(axis.pad - axis.first_row() * axis.stride);
        phase = phase * stride + t % stride;
        rows.push_back(t / stride);
    }
    const auto channels = static_cast<int>(context.result_shape()[1]);
    const Expr element = z({v[0], phase * channels + v[1], rows[0], rows[1]});
    Func result = context.func("");
    result(v) = context.has_input(1) ? element + context.operand(1)({v[1]}) : element;
    return result;
}

}  // namespace

const Operator &onnx_phases_to_space() {
    static const Operator phases_to_space = {
        .type = "PhasesToSpace",
        .domain = kOwnDomain,
        .check = check_phases_to_space,
        .implementations =
            {{.name = "direct", .build = build_phases_to_space},
             {.name = "planar", .build = build_phases_to_space, .planar = true, .cpu_only = true}},
    };
    return phases_to_space;
}

}  // namespace emulsion
