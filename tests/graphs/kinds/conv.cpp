#include <cmath>

#include "tests/graphs/windows.h"

namespace emulsion {

using namespace test;

namespace {

constexpr int64_t kMostProducts = 1'500'000;

std::vector<Value> reference_conv(const Call &call) {
    const Value &x = call[0], &w = call[1];
    const Shape kernel(w.shape.begin() + 2, w.shape.end());
    const auto windows = windows_of(call.node, x.shape, kernel);
    const int64_t groups = call.integer("group", 1), per_group = w.shape[1];
    const int64_t out_per_group = w.shape[0] / groups;
    Shape shape{x.shape[0], w.shape[0]};
    int64_t plane = 1;  // elements of a channel of x
    for (const WindowAxis &axis : windows) {
        shape.push_back(axis.output);
        plane *= axis.input;
    }
    Value y(x.type, shape);
    const int64_t taps = element_count(kernel);
    for_each_index(shape, [&](const Shape &at, size_t flat) {
        double sum = call.has(2) ? call[2].at[static_cast<size_t>(at[1])] : 0.0;
        const int64_t first = at[1] / out_per_group * per_group;
        for_each_index(kernel, [&](const Shape &tap, size_t t) {
            int64_t offset = 0;
            for (size_t i = 0; i < windows.size(); i++) {
                const int64_t position = windows[i].position(at[i + 2], tap[i]);
                if (!windows[i].inside(position)) {
                    return;
                }
                offset = offset * windows[i].input + position;
            }
            for (int64_t c = 0; c < per_group; c++) {
                sum +=
                    x.at[static_cast<size_t>((at[0] * x.shape[1] + first + c) * plane + offset)] *
                    w.at[static_cast<size_t>((at[1] * per_group + c) * taps) + t];
            }
        });
        y.at[flat] = sum;
    });
    return {y};
}

void make_conv(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick_image(1, 3);
    const Shape in = maker.shape(x);
    DrawnWindows windows = draw_windows(maker, in, false);
    int64_t group = 1;
    const int64_t grouping = draw.integer(0, 5);
    if (grouping == 0) {
        group = in[1];
    } else if (grouping == 1) {
        for (int64_t g = 2; g < in[1]; g++) {
            group = in[1] % g == 0 ? g : group;
        }
    }
    const int64_t channels =
        group == 1 ? maker.channels() : group * draw.of<int64_t>({1, 1, 2, 3, 5});
    Shape weight{channels, in[1] / group};
    weight.insert(weight.end(), windows.kernel.begin(), windows.kernel.end());
    maker.require(element_count(weight) * element_count(in) / in[1] <= kMostProducts);
    const double fan_in =
        static_cast<double>(element_count(weight)) / static_cast<double>(channels);
    std::vector<TensorId> inputs{x, maker.weights(weight, 1.5 / std::sqrt(fan_in))};
    if (draw.flip()) {
        inputs.push_back(maker.weights({channels}, 0.5));
        maker.option("bias");
    } else {
        maker.option("no bias");
    }
    if (group > 1) {
        windows.attributes["group"] = group;
        maker.option(group == in[1] ? (channels == group ? "depthwise" : "depthwise, multiplied")
                                    : "groups");
    }
    maker.node("Conv", inputs, windows.attributes);
}

}  // namespace

const GraphKind &graph_kind_conv() {
    static const GraphKind kind = {
        .name = "Conv",
        .weight = 8,
        .options = window_options(
            false, {"bias", "no bias", "depthwise", "depthwise, multiplied", "groups"}),
        .make = make_conv,
        .operators = {{"Conv", reference_conv}},
    };
    return kind;
}

}  // namespace emulsion
