#include "frontend/ops/support/window.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"
#include "fusion/ceil_div.h"

namespace emulsion {

using Halide::Expr;

namespace {

// Halide's coordinates are 32-bit. Below this limit no sum or product here overflows 64 bits.
constexpr int64_t kMaxCoordinate = std::numeric_limits<int32_t>::max();

}  // namespace

std::vector<int64_t> window_attribute(const OperatorContext &context, const std::string &key,
                                      const std::vector<int64_t> &default_value, int64_t minimum) {
    std::vector<int64_t> values = context.node().integers(key, default_value);
    if (values.size() != default_value.size()) {
        refuse(context, fmt::format("attribute {} has {} values; {} are needed", key, values.size(),
                                    default_value.size()));
    }
    for (const int64_t value : values) {
        if (value < minimum || value > kMaxCoordinate) {
            refuse(context, fmt::format("attribute {} is {}; its values must be in {} .. 2^31-1",
                                        key, to_string(values), minimum));
        }
    }
    return values;
}

AutoPad auto_pad(const OperatorContext &context) {
    const std::string text = context.node().text("auto_pad", "NOTSET");
    if (text == "NOTSET") {
        return AutoPad::NotSet;
    }
    if (text == "VALID") {
        return AutoPad::Valid;
    }
    if (text == "SAME_UPPER") {
        return AutoPad::SameUpper;
    }
    if (text == "SAME_LOWER") {
        return AutoPad::SameLower;
    }
    refuse(context, fmt::format("attribute auto_pad is '{}'; accepted: NOTSET, VALID, SAME_UPPER, "
                                "SAME_LOWER",
                                text));
}

std::vector<int64_t> window_pads(const OperatorContext &context, size_t axes) {
    const std::vector<int64_t> pads =
        window_attribute(context, "pads", std::vector<int64_t>(2 * axes, 0), 0);
    if (auto_pad(context) != AutoPad::NotSet &&
        std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad != 0; })) {
        refuse(context, "attribute pads is not 0 although auto_pad says where the padding goes; "
                        "only one of the two is accepted");
    }
    return pads;
}

namespace {

// ONNX: as many windows as strides fit into the input, the padding split evenly, and an odd element
// goes to the side that the mode names.
void pad_to_same(WindowAxis &axis, AutoPad mode) {
    axis.output = ceil_div(axis.input, axis.stride);
    const int64_t reach = (axis.output - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
    const int64_t total = std::max<int64_t>(0, reach - axis.input);
    axis.pad_before = mode == AutoPad::SameLower ? total - total / 2 : total / 2;
    axis.pad_after = total - axis.pad_before;
}

// Which windows there are besides those that fit into the padded input: a pool's only one may be too large
// for it by less than a stride (ONNX divides towards zero), with ceil_mode the last one of others, too.
enum class Misfits { None, Only, Last };

// Returns 0 if there is no window.
int64_t count_windows(const WindowAxis &axis, Misfits misfits) {
    const int64_t span = (axis.kernel - 1) * axis.dilation + 1;
    const bool ceil_mode = misfits == Misfits::Last;
    const int64_t room =
        axis.pad_before + axis.input + axis.pad_after - span + (ceil_mode ? axis.stride - 1 : 0);
    if (room < 0) {
        return misfits == Misfits::Only && -room < axis.stride ? 1 : 0;
    }
    int64_t count = room / axis.stride + 1;
    // A window that would start in the padding behind the input is dropped.
    if (ceil_mode && (count - 1) * axis.stride >= axis.input + axis.pad_before) {
        count--;
    }
    return count;
}

}  // namespace

WindowAxis unpadded_window(const OperatorContext &context, int64_t input, int64_t kernel,
                           int64_t stride, int64_t dilation) {
    const int64_t room = input - 1;
    if (kernel < 1 || room < 0 || (kernel > 1 && dilation > room / (kernel - 1))) {
        refuse(context, "its windows are larger than the operand");
    }
    WindowAxis axis;
    axis.input = input;
    axis.kernel = kernel;
    axis.stride = stride;
    axis.dilation = dilation;
    axis.output = (room - (kernel - 1) * dilation) / stride + 1;
    return axis;
}

Margin WindowAxis::margin() const {
    const int64_t last = (output - 1) * stride + (kernel - 1) * dilation - pad_before;
    return {pad_before, std::max<int64_t>(0, last - (input - 1))};
}

Expr WindowAxis::position(const Expr &window, const Expr &tap) const {
    Expr result = window;
    if (stride != 1) {
        result = result * static_cast<int>(stride);
    }
    if (!Halide::Internal::is_const_zero(tap)) {
        result += dilation == 1 ? tap : tap * static_cast<int>(dilation);
    }
    if (pad_before != 0) {
        result -= static_cast<int>(pad_before);
    }
    return result;
}

Expr WindowAxis::taps_within(const Expr &window, int64_t before, int64_t after) const {
    const int64_t last = (output - 1) * stride + (kernel - 1) * dilation - pad_before;
    if (pad_before <= before && last < input + after) {
        return static_cast<int>(kernel);
    }
    // Tap k is at start + k * dilation. Halide's division rounds down.
    const Expr start = position(window, 0);
    const int step = static_cast<int>(dilation);
    const Expr first = (static_cast<int>(-before) - start + (step - 1)) / step;
    const Expr end = (static_cast<int>(input + after - 1) - start) / step + 1;
    return Halide::max(Halide::min(end, static_cast<int>(kernel)) - Halide::max(first, 0), 0);
}

namespace {

std::vector<WindowAxis> windows_with(const OperatorContext &context,
                                     const std::vector<int64_t> &kernel, Misfits misfits) {
    const std::vector<int64_t> shape = context.input_shape(0);
    const size_t count = shape.size() - 2;
    const std::vector<int64_t> ones(count, 1);
    const std::vector<int64_t> strides = window_attribute(context, "strides", ones, 1);
    const std::vector<int64_t> dilations = window_attribute(context, "dilations", ones, 1);
    const std::vector<int64_t> pads = window_pads(context, count);
    const AutoPad mode = auto_pad(context);
    std::vector<WindowAxis> result;
    for (size_t i = 0; i < count; i++) {
        WindowAxis axis = {.input = shape[i + 2],
                           .kernel = kernel[i],
                           .stride = strides[i],
                           .dilation = dilations[i],
                           .pad_before = pads[i],
                           .pad_after = pads[i + count]};
        if (axis.input < 1 || axis.input > kMaxCoordinate || axis.kernel < 1 ||
            axis.kernel > kMaxCoordinate) {
            refuse(context,
                   fmt::format("axis {} has {} elements and the kernel {}; 1 to 2^31-1 are "
                               "accepted",
                               i + 2, axis.input, axis.kernel));
        }
        if (mode == AutoPad::SameUpper || mode == AutoPad::SameLower) {
            pad_to_same(axis, mode);
        } else {
            axis.output = count_windows(axis, misfits);
        }
        const int64_t span = (axis.kernel - 1) * axis.dilation + 1;
        if (axis.output < 1) {
            refuse(context, fmt::format("a window of {} elements (kernel {}, dilation {}) does not "
                                        "fit into axis {} of {} elements with pads {} and {}",
                                        span, axis.kernel, axis.dilation, i + 2, axis.input,
                                        axis.pad_before, axis.pad_after));
        }
        const Margin margin = axis.margin();
        if (margin.before + axis.input + margin.after > kMaxCoordinate) {
            refuse(context, fmt::format("attribute pads or dilations: the windows of axis {} reach "
                                        "over more than 2^31-1 elements",
                                        i + 2));
        }
        result.push_back(axis);
    }
    return result;
}

}  // namespace

std::vector<WindowAxis> window_axes(const OperatorContext &context,
                                    const std::vector<int64_t> &kernel) {
    return windows_with(context, kernel, Misfits::None);
}

std::vector<WindowAxis> pool_windows(const OperatorContext &context) {
    require_spatial_axes(context, 0);
    if (!context.node().has("kernel_shape")) {
        refuse(context, "attribute kernel_shape is missing");
    }
    const auto spatial = static_cast<size_t>(context.input(0).rank() - 2);
    const std::vector<int64_t> kernel =
        window_attribute(context, "kernel_shape", std::vector<int64_t>(spatial, 1), 1);
    const bool ceil_mode = context.node().integer("ceil_mode", 0) != 0;
    return windows_with(context, kernel, ceil_mode ? Misfits::Last : Misfits::Only);
}

void require_spatial_axes(const OperatorContext &context, int index) {
    if (context.input(index).rank() < 3) {
        refuse(context, fmt::format("{} has rank {}; batch, channels and at least one axis more "
                                    "are needed",
                                    describe_input(context, index), context.input(index).rank()));
    }
}

Access windowed_operand(OperatorContext &context, const std::vector<WindowAxis> &axes,
                        double value) {
    Padding padding = {.margin = {{}, {}}, .value = value};
    bool leaves_tensor = false;
    for (const WindowAxis &axis : axes) {
        padding.margin.push_back(axis.margin());
        leaves_tensor |= axis.margin() != Margin{};
    }
    return leaves_tensor ? context.padded_operand(0, padding) : context.operand(0);
}

std::vector<Expr> window_taps(const std::vector<WindowAxis> &axes) {
    std::vector<int64_t> kernel;
    for (const WindowAxis &axis : axes) {
        kernel.push_back(axis.kernel);
    }
    return row_major_reduction(kernel);
}

std::vector<Expr> window_coordinates(const std::vector<WindowAxis> &axes,
                                     const std::vector<Expr> &at, const std::vector<Expr> &taps) {
    std::vector<Expr> result = {at[0], at[1]};
    for (size_t i = 0; i < axes.size(); i++) {
        result.push_back(axes[i].position(at[i + 2], taps[i]));
    }
    return result;
}

std::vector<int64_t> window_output_shape(int64_t batch, int64_t channels,
                                         const std::vector<WindowAxis> &axes) {
    std::vector<int64_t> shape = {batch, channels};
    for (const WindowAxis &axis : axes) {
        shape.push_back(axis.output);
    }
    return shape;
}

}  // namespace emulsion
