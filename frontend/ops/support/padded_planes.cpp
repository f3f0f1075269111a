#include "frontend/ops/support/padded_planes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "frontend/ops/support/flattened_pixels.h"
#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

constexpr size_t kGroupedPixelAxis = 3;  // behind batch, group and channels

bool has_columns(const OperatorContext &context) {
    return context.result_shape().back() >= kFewestColumns;
}

bool has_padding(const std::vector<WindowAxis> &windows) {
    return std::any_of(windows.begin(), windows.end(),
                       [](const WindowAxis &axis) { return axis.margin() != Margin{}; });
}

// Whether PaddedPlanes takes it.
bool can_pad(const OperatorContext &context) {
    return is_float(context.input(0).type) &&
           element_count(context.input_shape(0)) <= std::numeric_limits<int32_t>::max();
}

// A shape of channels as one of groups and the channels of each, with what comes before and behind.
std::vector<int64_t> split(const std::vector<int64_t> &shape, size_t axis, int64_t groups) {
    std::vector<int64_t> result = shape;
    result[axis] /= groups;
    result.insert(result.begin() + static_cast<ptrdiff_t>(axis), groups);
    return result;
}

std::vector<Margin> margins_of(const std::vector<WindowAxis> &windows) {
    std::vector<Margin> margins;
    for (const WindowAxis &window : windows) {
        margins.push_back(window.margin());
    }
    return margins;
}

// PaddedPlanes of the node's operand 0, which is to have shape `shape`; `margins` of its last axes.
TensorId add_pad(std::vector<int64_t> shape, const std::vector<Margin> &margins, Outside outside,
                 int64_t phases, SubgraphBuilder &builder) {
    Node pad;
    pad.operator_type = "PaddedPlanes";
    pad.domain = kOwnDomain;
    pad.attributes["shape"] = shape;
    pad.attributes["lowest"] = int64_t{outside == Outside::Lowest ? 1 : 0};
    pad.inputs = {builder.reshape("flat", builder.input(0), {element_count(shape)})};
    std::vector<int64_t> pads;
    size_t axis = shape.size() - margins.size();
    for (const Margin &margin : margins) {
        pads.insert(pads.end(), {margin.before, margin.after});
        shape[axis++] += margin.before + margin.after;
    }
    pad.attributes["pads"] = pads;
    if (phases > 1) {
        pad.attributes["phases"] = phases;
        shape.back() /= phases;
        shape.insert(shape.end() - 1, phases);
    }
    return builder.add("pad", pad, shape);
}

void expand_phases(const std::vector<int64_t> &shape, const std::vector<WindowAxis> &windows,
                   SubgraphBuilder &builder) {
    const WindowAxis &columns = windows.back();
    std::vector<Margin> margins = margins_of(windows);
    Margin &beside = margins.back();
    const int64_t width = beside.before + columns.input + beside.after;
    beside.after += ceil_div(width, columns.stride) * columns.stride - width;
    Node conv;
    conv.operator_type = "PhasedConv";
    conv.domain = kOwnDomain;
    for (const char *attribute : {"strides", "dilations"}) {
        if (builder.node().has(attribute)) {
            std::vector<int64_t> outer = builder.node().integers(attribute, {});
            outer.pop_back();
            conv.attributes[attribute] = outer;
        }
    }
    conv.attributes["group"] = builder.node().integer("group", 1);
    conv.attributes["windows"] = columns.output;
    conv.inputs = builder.node().inputs;
    conv.inputs[0] = add_pad(shape, margins, Outside::Zero, columns.stride, builder);
    builder.result("windows", conv);
}

void expand_groups(const OperatorContext &context, const std::vector<WindowAxis> &windows,
                   SubgraphBuilder &builder) {
    const Node &node = builder.node();
    const int64_t groups = node.integer("group", 1);
    const bool is_flat = has_flat_pixels(context);
    const auto grouped = [&](const std::vector<int64_t> &shape, size_t axis) {
        const std::vector<int64_t> image = split(shape, axis, groups);
        return is_flat ? flattened(image, kGroupedPixelAxis) : image;
    };
    const std::vector<int64_t> x = grouped(context.input_shape(0), 1);
    Node conv;
    conv.operator_type = "GroupedConv";
    conv.domain = kOwnDomain;
    for (const char *attribute : {"strides", "dilations"}) {
        if (node.has(attribute) && !is_flat) {
            conv.attributes[attribute] = node.attributes.at(attribute);
        }
    }
    conv.inputs = {
        has_padding(windows) ? add_padded_planes(x, windows, Outside::Zero, builder)
                             : builder.reshape("groups", builder.input(0), x),
        builder.reshape("weights", builder.input(1), grouped(context.input_shape(1), 0))};
    if (builder.has_input(2)) {
        conv.inputs.push_back(
            builder.reshape("bias", builder.input(2), split(context.input_shape(2), 0, groups)));
    }
    builder.result_reshaped("image",
                            builder.add("windows", conv, grouped(context.result_shape(), 1)));
}

}  // namespace

Implementation only_where(Implementation implementation,
                          const std::function<bool(const OperatorContext &)> &also) {
    implementation.applies = [applies = implementation.applies,
                              also](const OperatorContext &context) {
        return also(context) && applies(context);
    };
    return implementation;
}

TensorId add_padded_planes(std::vector<int64_t> shape, const std::vector<WindowAxis> &windows,
                           Outside outside, SubgraphBuilder &builder) {
    return add_pad(std::move(shape), margins_of(windows), outside, 1, builder);
}

Node without_padding(const SubgraphBuilder &builder, TensorId padded) {
    Node node = builder.node();
    for (const char *done : {"pads", "auto_pad", "ceil_mode"}) {
        node.attributes.erase(done);
    }
    node.inputs[0] = padded;
    return node;
}

Implementation planar_windows(const WindowsOf &windows,
                              const std::function<Halide::Func(OperatorContext &)> &build) {
    const auto applies = [windows](const OperatorContext &context) {
        return has_columns(context) && !has_padding(windows(context));
    };
    return {.name = "planar", .applies = applies, .build = build, .planar = true, .cpu_only = true};
}

Implementation padded_planes(const WindowsOf &windows, Outside outside) {
    const auto applies = [windows](const OperatorContext &context) {
        return has_columns(context) && can_pad(context) && has_padding(windows(context));
    };
    const auto expand = [windows, outside](const OperatorContext &context,
                                           SubgraphBuilder &builder) {
        const TensorId padded =
            add_padded_planes(context.input_shape(0), windows(context), outside, builder);
        builder.result("windows", without_padding(builder, padded));
    };
    return {.name = "padded_planes",
            .applies = applies,
            .build = {},
            .expand = expand,
            .planar = true,
            .cpu_only = true};
}

Implementation phased_planes(const WindowsOf &windows) {
    const auto applies = [windows](const OperatorContext &context) {
        if (!has_columns(context) || !can_pad(context)) {
            return false;
        }
        // Else there is a phase that no window reads.
        const WindowAxis columns = windows(context).back();
        return columns.stride > 1 && columns.dilation == 1 && columns.kernel >= columns.stride;
    };
    const auto expand = [windows](const OperatorContext &context, SubgraphBuilder &builder) {
        expand_phases(context.input_shape(0), windows(context), builder);
    };
    return {.name = "phased_planes",
            .applies = applies,
            .build = {},
            .expand = expand,
            .planar = true,
            .cpu_only = true};
}

Implementation grouped_planes(const WindowsOf &windows) {
    const auto applies = [](const OperatorContext &context) {
        return has_columns(context) && can_pad(context);
    };
    const auto expand = [windows](const OperatorContext &context, SubgraphBuilder &builder) {
        expand_groups(context, windows(context), builder);
    };
    return {.name = "grouped_planes",
            .applies = applies,
            .build = {},
            .expand = expand,
            .planar = true,
            .cpu_only = true};
}

}  // namespace emulsion
