#include "frontend/ops/support/flattened_pixels.h"

#include <algorithm>
#include <optional>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

namespace {

constexpr const char *kName = "flattened_pixels";
constexpr size_t kFirstPixelAxis = 2;  // behind batch and channels

// Whether there is something to flatten.
bool has_pixels(const std::vector<int64_t> &shape) {
    return shape.size() > kFirstPixelAxis &&
           std::count_if(shape.begin() + kFirstPixelAxis, shape.end(),
                         [](int64_t extent) { return extent > 1; }) > 1;
}

// The shape that an operand, which is broadcast to `result`, has where that is flattened; nothing where it is
// broadcast along some of the pixels' axes only.
std::optional<std::vector<int64_t>> flattened_operand(const std::vector<int64_t> &operand,
                                                      const std::vector<int64_t> &result) {
    const size_t pixel_axes = result.size() - kFirstPixelAxis;
    if (operand.empty()) {
        return operand;
    }
    const size_t own = std::min(operand.size(), pixel_axes);
    const auto pixels = operand.end() - static_cast<ptrdiff_t>(own);
    const bool once = std::all_of(pixels, operand.end(), [](int64_t e) { return e == 1; });
    const bool all =
        own == pixel_axes && std::equal(pixels, operand.end(), result.begin() + kFirstPixelAxis);
    if (!once && !all) {
        return std::nullopt;
    }
    std::vector<int64_t> shape(operand.begin(), pixels);
    shape.push_back(once ? 1 : flattened(result).back());
    return shape;
}

void expand_convolution(const OperatorContext &context, SubgraphBuilder &builder) {
    const Node &node = builder.node();
    std::vector<int64_t> weight = context.input_shape(1);
    weight.resize(kFirstPixelAxis);
    weight.push_back(1);
    Node product;
    product.operator_type = node.operator_type;
    product.attributes["group"] = node.integer("group", 1);
    product.inputs = node.inputs;
    product.inputs[0] =
        builder.reshape("pixels", builder.input(0), flattened(context.input_shape(0)));
    product.inputs[1] = builder.reshape("weights", builder.input(1), weight);
    builder.result_reshaped("image",
                            builder.add("product", product, flattened(context.result_shape())));
}

bool applies_to_elementwise(const OperatorContext &context) {
    const std::vector<int64_t> result = context.result_shape();
    if (!has_pixels(result)) {
        return false;
    }
    for (size_t i = 0; i < context.node().inputs.size(); i++) {
        const int index = static_cast<int>(i);
        if (context.has_input(index) && !flattened_operand(context.input_shape(index), result)) {
            return false;
        }
    }
    return true;
}

void expand_elementwise(const OperatorContext &context, SubgraphBuilder &builder) {
    Node flat = builder.node();
    const std::vector<int64_t> result = context.result_shape();
    for (size_t i = 0; i < flat.inputs.size(); i++) {
        if (flat.inputs[i] != kNoTensor) {
            const std::vector<int64_t> shape = context.input_shape(static_cast<int>(i));
            const std::vector<int64_t> wanted = *flattened_operand(shape, result);
            if (wanted != shape) {
                const std::string part = std::string("pixels") + static_cast<char>('a' + i % 26);
                flat.inputs[i] = builder.reshape(part, flat.inputs[i], wanted);
            }
        }
    }
    builder.result_reshaped("image", builder.add("element", flat, flattened(result)));
}

}  // namespace

std::vector<int64_t> flattened(const std::vector<int64_t> &shape, size_t first) {
    std::vector<int64_t> flat(shape.begin(), shape.begin() + static_cast<ptrdiff_t>(first));
    flat.push_back(1);
    for (size_t i = first; i < shape.size(); i++) {
        flat.back() *= shape[i];
    }
    return flat;
}

bool has_flat_pixels(const OperatorContext &context) {
    const std::vector<int64_t> kernel(context.input(0).rank() - kFirstPixelAxis, 1);
    const std::vector<int64_t> weight = context.input_shape(1);
    if (!std::equal(kernel.begin(), kernel.end(), weight.begin() + kFirstPixelAxis, weight.end()) ||
        !has_pixels(context.result_shape())) {
        return false;
    }
    const std::vector<WindowAxis> windows = window_axes(context, kernel);
    return std::all_of(windows.begin(), windows.end(), [](const WindowAxis &axis) {
        return axis.stride == 1 && axis.pad_before == 0 && axis.input == axis.output;
    });
}

Implementation flattened_planes() {
    const auto applies = [](const OperatorContext &context) {
        return context.node().integer("group", 1) == 1 && has_flat_pixels(context);
    };
    return {.name = "flattened_planes",
            .applies = applies,
            .build = {},
            .expand = expand_convolution,
            .planar = true,
            .cpu_only = true};
}

Implementation flattened_convolution() {
    return {.name = kName, .applies = has_flat_pixels, .build = {}, .expand = expand_convolution};
}

Implementation flattened_elementwise() {
    return {.name = kName,
            .applies = applies_to_elementwise,
            .build = {},
            .expand = expand_elementwise,
            .follows = true};
}

}  // namespace emulsion
