#include "frontend/ops/support/winograd.h"

#include <algorithm>
#include <limits>

#include "frontend/ops/support/window.h"

namespace emulsion {

namespace {

// Input channels that are summed over in tiles of 4 x 4 results. Of more, the transformed weights, four times as many as the
// convolution's, take longer to come from memory than the products that they save (YOLO-V4: 1.04 times the time).
constexpr int64_t kMostChannelsOfLargeTiles = 256;

std::vector<WindowAxis> windows_of(const OperatorContext &context) {
    return window_axes(context, {kWinogradTaps, kWinogradTaps});
}

bool fits_a_buffer(const OperatorContext &context, const WinogradTile &tile) {
    const std::vector<int64_t> y = context.result_shape();
    const int64_t channels = std::max(context.input_shape(0)[1], y[1]);
    double elements = static_cast<double>(tile.places() * channels);
    for (const int64_t extent : {y[0], tile.tiles(y[2]), tile.tiles(y[3])}) {
        elements *= static_cast<double>(extent);
    }
    return elements <= std::numeric_limits<int32_t>::max();
}

bool applies(const OperatorContext &context, const WinogradTile &tile) {
    const std::vector<int64_t> weight = context.input_shape(1);
    if (weight.size() != 4 || weight[2] != kWinogradTaps || weight[3] != kWinogradTaps ||
        context.node().integer("group", 1) != 1 || !context.input(1).is_constant()) {
        return false;
    }
    if (tile.results > 2 && weight[1] > kMostChannelsOfLargeTiles) {
        return false;
    }
    const std::vector<WindowAxis> windows = windows_of(context);
    return fits_a_buffer(context, tile) &&
           std::all_of(windows.begin(), windows.end(), [](const WindowAxis &axis) {
               return axis.stride == 1 && axis.dilation == 1;
           });
}

Node own_node(const std::string &type, const WinogradTile &tile,
              const std::vector<TensorId> &inputs) {
    Node node;
    node.operator_type = type;
    node.domain = kOwnDomain;
    node.inputs = inputs;
    node.attributes["tile"] = tile.results;
    return node;
}

// Tiles of 4 x 4 keep their axes, so that a few rows of them may be computed at a time. Those of 2 x 2 become one axis,
// of which any block is a workgroup's.
void expand(const OperatorContext &context, SubgraphBuilder &builder, const WinogradTile &tile) {
    const std::vector<WindowAxis> windows = windows_of(context);
    const std::vector<int64_t> x = context.input_shape(0), y = context.result_shape();
    const int64_t places = tile.places(), rows = tile.tiles(y[2]), columns = tile.tiles(y[3]);
    const bool keeps_axes = tile.results > 2;
    // (o, c, 3, 3) to (places, c, o).
    const TensorId weights = builder.add(
        "weights", own_node("WinogradWeights", tile, {builder.input(1)}), {places, x[1], y[1]});
    Node input = own_node("WinogradInput", tile, {builder.input(0)});
    input.attributes["pads"] = std::vector<int64_t>{windows[0].pad_before, windows[1].pad_before};
    const TensorId transformed = builder.add("input", input, {places, y[0], rows, columns, x[1]});
    const int64_t tiles = y[0] * rows * columns;
    Node product = own_node("WinogradProduct", tile, {transformed, weights});
    TensorId products{};
    if (keeps_axes) {
        products = builder.add("product", product, {places, y[0], rows, columns, y[1]});
    } else {
        product.inputs.front() = builder.reshape("tiles", transformed, {places, tiles, x[1]});
        products = builder.reshape("places_of_tiles",
                                   builder.add("product", product, {places, tiles, y[1]}),
                                   {places, y[0], rows, columns, y[1]});
    }
    Node output = own_node("WinogradOutput", tile, {products});
    if (builder.has_input(2)) {
        output.inputs.push_back(builder.input(2));
    }
    builder.result("output", output);
}

Implementation winograd(const std::string &name, const WinogradTile &tile) {
    const auto applies_here = [&tile](const OperatorContext &context) {
        return applies(context, tile);
    };
    const auto expand_here = [&tile](const OperatorContext &context, SubgraphBuilder &builder) {
        expand(context, builder, tile);
    };
    return {
        .name = name, .exact = false, .applies = applies_here, .build = {}, .expand = expand_here};
}

}  // namespace

Implementation winograd_2x2() { return winograd("winograd_2x2", *find_winograd_tile(2)); }

Implementation winograd_4x4() { return winograd("winograd_4x4", *find_winograd_tile(4)); }

}  // namespace emulsion
