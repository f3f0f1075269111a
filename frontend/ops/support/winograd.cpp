#include "frontend/ops/support/winograd.h"

#include <algorithm>
#include <limits>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

namespace {

constexpr int64_t kPlaces = kWinogradWindow * kWinogradWindow;

std::vector<WindowAxis> windows_of(const OperatorContext &context) {
    return window_axes(context, {kWinogradTaps, kWinogradTaps});
}

bool fits_a_buffer(const OperatorContext &context) {
    const std::vector<int64_t> y = context.result_shape();
    const int64_t channels = std::max(context.input_shape(0)[1], y[1]);
    double elements = static_cast<double>(kPlaces * channels);
    for (const int64_t extent : {y[0], winograd_tiles(y[2]), winograd_tiles(y[3])}) {
        elements *= static_cast<double>(extent);
    }
    return elements <= std::numeric_limits<int32_t>::max();
}

bool applies(const OperatorContext &context) {
    const std::vector<int64_t> weight = context.input_shape(1);
    if (weight.size() != 4 || weight[2] != kWinogradTaps || weight[3] != kWinogradTaps ||
        context.node().integer("group", 1) != 1 || !context.input(1).is_constant()) {
        return false;
    }
    const std::vector<WindowAxis> windows = windows_of(context);
    return fits_a_buffer(context) &&
           std::all_of(windows.begin(), windows.end(), [](const WindowAxis &axis) {
               return axis.stride == 1 && axis.dilation == 1;
           });
}

// (o, c, 3, 3) to (16, c, o).
TensorId transformed_weights(const OperatorContext &context, SubgraphBuilder &builder) {
    const std::vector<int64_t> shape = context.input_shape(1);
    Node weights;
    weights.operator_type = "WinogradWeights";
    weights.domain = kOwnDomain;
    weights.inputs = {builder.input(1)};
    return builder.add("weights", weights, {kPlaces, shape[1], shape[0]});
}

void expand(const OperatorContext &context, SubgraphBuilder &builder) {
    const std::vector<WindowAxis> windows = windows_of(context);
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> y = context.result_shape();
    const int64_t rows = winograd_tiles(y[2]), columns = winograd_tiles(y[3]);
    const int64_t tiles = y[0] * rows * columns;

    Node input;
    input.operator_type = "WinogradInput";
    input.domain = kOwnDomain;
    input.inputs = {builder.input(0)};
    input.attributes["pads"] = std::vector<int64_t>{windows[0].pad_before, windows[1].pad_before};
    const TensorId transformed = builder.add("input", input, {kPlaces, y[0], rows, columns, x[1]});
    Node product;
    product.operator_type = "MatMul";
    product.inputs = {builder.reshape("tiles", transformed, {kPlaces, tiles, x[1]}),
                      transformed_weights(context, builder)};
    const TensorId products = builder.add("product", product, {kPlaces, tiles, y[1]});
    Node output;
    output.operator_type = "WinogradOutput";
    output.domain = kOwnDomain;
    output.inputs = {
        builder.reshape("places_of_tiles", products, {kPlaces, y[0], rows, columns, y[1]})};
    if (builder.has_input(2)) {
        output.inputs.push_back(builder.input(2));
    }
    builder.result("output", output);
}

}  // namespace

Implementation winograd_convolution() {
    return {
        .name = "winograd_2x2", .exact = false, .applies = applies, .build = {}, .expand = expand};
}

}  // namespace emulsion
