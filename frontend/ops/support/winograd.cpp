#include "frontend/ops/support/winograd.h"

#include <algorithm>
#include <array>
#include <limits>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

namespace {

constexpr int64_t kTaps = 3;
constexpr int64_t kPlaces = kWinogradWindow * kWinogradWindow;

// G of the formula: what a tap contributes to a place, along one axis.
constexpr std::array<std::array<double, kTaps>, kWinogradWindow> kWeights = {
    {{1.0, 0.0, 0.0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0.0, 0.0, 1.0}}};

std::vector<WindowAxis> windows_of(const OperatorContext &context) {
    return window_axes(context, {kTaps, kTaps});
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
    if (weight.size() != 4 || weight[2] != kTaps || weight[3] != kTaps ||
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
    const int64_t out = shape[0], in = shape[1];
    std::vector<double> products;  // (taps, places)
    for (int64_t i = 0; i < kTaps * kTaps; i++) {
        for (int64_t a = 0; a < kPlaces; a++) {
            products.push_back(kWeights.at(static_cast<size_t>(a / kWinogradWindow))
                                   .at(static_cast<size_t>(i / kTaps)) *
                               kWeights.at(static_cast<size_t>(a % kWinogradWindow))
                                   .at(static_cast<size_t>(i % kTaps)));
        }
    }
    const DataType type = context.input(1).type;
    Node product;
    product.operator_type = "MatMul";
    product.inputs = {builder.reshape("taps", builder.input(1), {out * in, kTaps * kTaps}),
                      builder.reals({kTaps * kTaps, kPlaces}, products, type)};
    const TensorId places = builder.add("places", product, {out * in, kPlaces});
    Node transpose;
    transpose.operator_type = "Transpose";
    transpose.inputs = {builder.reshape("channels", places, {out, in, kPlaces})};
    transpose.attributes["perm"] = std::vector<int64_t>{2, 1, 0};
    return builder.add("weights", transpose, {kPlaces, in, out});
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
