#include "frontend/ops/support/convolution_of_phases.h"

#include <algorithm>
#include <limits>

#include "frontend/ops/support/channels.h"
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/flattened_pixels.h"
#include "frontend/ops/support/padded_planes.h"
#include "frontend/ops/support/transposed_window.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

namespace {

constexpr int64_t kMostStride = 8;  // along an axis: phases are channels

// Along one axis: its phases, and what the convolution of them reads around the operand.
struct Axis {
    PhaseAxis phases;
    int64_t rows = 1, pad_before = 0, pad_after = 0;
};

std::vector<Axis> axes_of(const OperatorContext &context) {
    std::vector<Axis> found;
    for (const TransposedAxis &axis : transposed_axes(context, checked_kernel(context))) {
        Axis a{{axis.stride, axis.pad_before, axis.kernel}};
        a.rows = a.phases.rows(axis.output);
        a.pad_before = a.phases.taps() - 1 - a.phases.first_row();
        a.pad_after = a.phases.first_row() + a.rows - axis.input;
        found.push_back(a);
    }
    return found;
}

bool applies(const OperatorContext &context) {
    if (context.input(0).rank() != 4 || context.node().integer("group", 1) != 1 ||
        !context.input(1).is_constant()) {
        return false;
    }
    const std::vector<TransposedAxis> windows = transposed_axes(context, checked_kernel(context));
    const std::vector<Axis> axes = axes_of(context);
    double elements = static_cast<double>(context.input_shape(0)[0] * context.result_shape()[1]);
    bool has_phases = false;
    for (size_t i = 0; i < axes.size(); i++) {
        const Axis &axis = axes[i];
        if (windows[i].dilation != 1 || axis.phases.pad < 0 || axis.pad_before < 0 ||
            axis.pad_after < 0 || axis.phases.stride > kMostStride) {
            return false;
        }
        has_phases = has_phases || axis.phases.stride > 1;
        elements *= static_cast<double>(axis.rows * axis.phases.stride);
    }
    return has_phases && elements <= std::numeric_limits<int32_t>::max();
}

Node own_node(const std::string &type, const std::vector<Axis> &axes,
              const std::vector<TensorId> &inputs) {
    Node node;
    node.operator_type = type;
    node.domain = kOwnDomain;
    node.inputs = inputs;
    std::vector<int64_t> strides, pads, kernel;
    for (const Axis &axis : axes) {
        strides.push_back(axis.phases.stride);
        pads.push_back(axis.phases.pad);
        kernel.push_back(axis.phases.kernel);
    }
    node.attributes["strides"] = strides;
    node.attributes["pads"] = pads;
    node.attributes["kernel"] = kernel;
    return node;
}

// One tap of every phase, and no element of the result without one.
bool has_single_taps(const OperatorContext &context) {
    if (!applies(context) || context.input_shape(0)[3] < kFewestColumns) {
        return false;
    }
    const std::vector<Axis> axes = axes_of(context);
    return std::all_of(axes.begin(), axes.end(), [](const Axis &axis) {
        return axis.phases.taps() == 1 && axis.pad_before == 0 && axis.pad_after == 0;
    });
}

// The weights of all phases' channels.
TensorId add_weights(const OperatorContext &context, const std::vector<Axis> &axes,
                     int64_t channels, SubgraphBuilder &builder) {
    return builder.add(
        "weights", own_node("PhaseWeights", axes, {builder.input(1)}),
        {channels, context.input_shape(0)[1], axes[0].phases.taps(), axes[1].phases.taps()});
}

// What takes the results of all phases to their places.
Node places(const std::vector<Axis> &axes, TensorId phases, const SubgraphBuilder &builder) {
    Node result = own_node("PhasesToSpace", axes, {phases});
    if (builder.has_input(2)) {
        result.inputs.push_back(builder.input(2));
    }
    return result;
}

int64_t channels_of_phases(const OperatorContext &context, const std::vector<Axis> &axes) {
    return axes[0].phases.stride * axes[1].phases.stride * context.result_shape()[1];
}

void expand_planes(const OperatorContext &context, SubgraphBuilder &builder) {
    const std::vector<Axis> axes = axes_of(context);
    const std::vector<int64_t> x = context.input_shape(0);
    const int64_t channels = channels_of_phases(context, axes);
    const TensorId weights = add_weights(context, axes, channels, builder);
    const std::vector<int64_t> image = {x[0], channels, x[2], x[3]};
    Node product;
    product.operator_type = "Conv";
    product.inputs = {builder.reshape("pixels", builder.input(0), flattened(x)),
                      builder.reshape("taps", weights, {channels, x[1], 1})};
    const TensorId phases =
        builder.reshape("images", builder.add("product", product, flattened(image)), image);
    builder.result("result", places(axes, phases, builder));
}

void expand(const OperatorContext &context, SubgraphBuilder &builder) {
    const std::vector<Axis> axes = axes_of(context);
    const std::vector<int64_t> x = context.input_shape(0);
    const int64_t channels = channels_of_phases(context, axes);
    const TensorId weights = add_weights(context, axes, channels, builder);
    Node convolution;
    convolution.operator_type = "Conv";
    convolution.inputs = {builder.input(0), weights};
    convolution.attributes["pads"] = std::vector<int64_t>{axes[0].pad_before, axes[1].pad_before,
                                                          axes[0].pad_after, axes[1].pad_after};
    const TensorId phases =
        builder.add("convolution", convolution, {x[0], channels, axes[0].rows, axes[1].rows});
    builder.result("result", places(axes, phases, builder));
}

}  // namespace

std::vector<PhaseAxis> phase_axes(const OperatorContext &context) {
    const std::vector<int64_t> strides = context.node().integers("strides", {}),
                               pads = context.node().integers("pads", {}),
                               kernel = context.node().integers("kernel", {});
    std::vector<PhaseAxis> axes;
    for (size_t i = 0; i < 2; i++) {
        if (strides.size() != 2 || pads.size() != 2 || kernel.size() != 2 || strides[i] < 1 ||
            strides[i] > kMostStride || pads[i] < 0 || kernel[i] < 1 ||
            std::max(pads[i], kernel[i]) > std::numeric_limits<int32_t>::max() / 2) {
            refuse(context, "it has no strides, pads and kernel of two axes");
        }
        axes.push_back({strides[i], pads[i], kernel[i]});
    }
    return axes;
}

Implementation convolution_of_phases() {
    return {.name = "phases", .applies = applies, .build = {}, .expand = expand};
}

Implementation planes_of_phases() {
    return {.name = "planes_of_phases",
            .applies = has_single_taps,
            .build = {},
            .expand = expand_planes,
            .planar = true,
            .cpu_only = true};
}

}  // namespace emulsion
