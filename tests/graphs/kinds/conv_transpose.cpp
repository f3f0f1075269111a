#include <cmath>

#include "tests/graphs/windows.h"

namespace emulsion {

using namespace test;

namespace {

// Every element of the operand is spread over its window of the result. `before`, `output`: of the result.
std::vector<WindowAxis> spread_axes(const Node &node, const Shape &x, const Shape &kernel) {
    const size_t axes = kernel.size();
    const Shape ones(axes, 1), zeros(axes, 0);
    const Shape strides = node.integers("strides", ones),
                dilations = node.integers("dilations", ones);
    const Shape more = node.integers("output_padding", zeros);
    const Shape pads = node.integers("pads", Shape(2 * axes, 0));
    const std::string automatic = node.text("auto_pad", "NOTSET");
    std::vector<WindowAxis> result;
    for (size_t i = 0; i < axes; i++) {
        WindowAxis axis{x[i + 2], kernel[i], strides[i], dilations[i], pads[i], pads[axes + i], 0};
        const int64_t all =
            (axis.input - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1 + more[i];
        if (automatic == "NOTSET") {
            axis.output = all - axis.before - axis.after;
        } else {
            axis.output = automatic == "VALID" ? all : axis.input * axis.stride;
            const int64_t pad = std::max<int64_t>(0, all - axis.output);
            axis.before = automatic == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
        }
        result.push_back(axis);
    }
    return result;
}

std::vector<Value> reference_conv_transpose(const Call &call) {
    const Value &x = call[0], &w = call[1];
    const Shape kernel(w.shape.begin() + 2, w.shape.end());
    const auto axes = spread_axes(call.node, x.shape, kernel);
    const int64_t groups = call.integer("group", 1), per_group = x.shape[1] / groups;
    const int64_t out_per_group = w.shape[1], channels = out_per_group * groups;
    Shape shape{x.shape[0], channels};
    for (const WindowAxis &axis : axes) {
        shape.push_back(axis.output);
    }
    Value y(x.type, shape);
    if (call.has(2)) {
        for_each_index(shape, [&](const Shape &at, size_t flat) {
            y.at[flat] = call[2].at[static_cast<size_t>(at[1])];
        });
    }
    const int64_t taps = element_count(kernel);
    const int64_t plane = element_count(shape) / shape[0] / channels;
    for_each_index(x.shape, [&](const Shape &at, size_t flat) {
        for_each_index(kernel, [&](const Shape &tap, size_t t) {
            int64_t offset = 0;
            for (size_t i = 0; i < axes.size(); i++) {
                const int64_t o =
                    at[i + 2] * axes[i].stride + tap[i] * axes[i].dilation - axes[i].before;
                if (o < 0 || o >= axes[i].output) {
                    return;
                }
                offset = offset * axes[i].output + o;
            }
            const int64_t first = at[1] / per_group * out_per_group;
            for (int64_t c = 0; c < out_per_group; c++) {
                y.at[static_cast<size_t>((at[0] * channels + first + c) * plane + offset)] +=
                    x.at[flat] * w.at[static_cast<size_t>((at[1] * out_per_group + c) * taps) + t];
            }
        });
    });
    return {y};
}

void make_conv_transpose(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick_image(1, 2);
    const Shape in = maker.shape(x);
    const size_t axes = in.size() - 2;
    maker.option(axes == 1 ? "1 axis" : "2 axes");
    std::map<std::string, Attribute> attributes;
    Shape kernel, stride, dilation, pads(2 * axes, 0), more;
    const bool dilated = draw.one_in(4);
    const int64_t step = draw.integer(1, 3);
    for (size_t i = 0; i < axes; i++) {
        kernel.push_back(draw.integer(1, 4));
        stride.push_back(step);
        dilation.push_back(dilated ? draw.integer(1, 2) : 1);
        more.push_back(draw.integer(0, std::max<int64_t>(0, std::max(step, dilation.back()) - 1)));
    }
    attributes["strides"] = stride;
    if (step > 1) {
        maker.option("stride");
    }
    if (dilated) {
        attributes["dilations"] = dilation;
        maker.option("dilation");
    }
    const int64_t padding = draw.integer(0, 4);
    if (padding == 0) {
        const auto automatic = draw.of<std::string>({"SAME_UPPER", "SAME_LOWER", "VALID"});
        for (size_t i = 0; i < axes;
             i++) {  // as large as the result, or the padding would be negative
            maker.require(dilation[i] * (kernel[i] - 1) + 1 >= step);
        }
        attributes["auto_pad"] = automatic;
        maker.option(automatic);
    } else if (padding < 3) {
        for (size_t i = 0; i < axes; i++) {
            pads[i] = draw.integer(0, kernel[i] - 1);
            pads[axes + i] = draw.integer(0, kernel[i] - 1);
        }
        attributes["pads"] = pads;
        maker.option("pads");
    }
    if (padding > 0 && step > 1 && draw.one_in(3)) {
        attributes["output_padding"] = more;
        maker.option("output_padding");
    }
    const int64_t group = draw.one_in(4) ? in[1] : draw.one_in(4) && in[1] % 2 == 0 ? 2 : 1;
    const int64_t channels = group == 1 ? maker.channels() : draw.of<int64_t>({1, 1, 2, 3});
    Shape weight{in[1], channels};
    weight.insert(weight.end(), kernel.begin(), kernel.end());
    maker.require(element_count(weight) * element_count(in) / in[1] <= 500'000);
    if (group > 1) {
        attributes["group"] = group;
        maker.option("groups");
    }
    Node node;
    node.attributes = attributes;
    for (const WindowAxis &axis : spread_axes(node, in, kernel)) {
        maker.require(axis.output > 0);
    }
    const double fan_in = static_cast<double>(in[1] / group) *
                          static_cast<double>(element_count(kernel)) / static_cast<double>(step);
    std::vector<TensorId> inputs{x, maker.weights(weight, 1.5 / std::sqrt(fan_in))};
    if (draw.flip()) {
        inputs.push_back(maker.weights({channels * group}, 0.5));
        maker.option("bias");
    }
    maker.node("ConvTranspose", inputs, attributes);
}

}  // namespace

const GraphKind &graph_kind_conv_transpose() {
    static const GraphKind kind = {
        .name = "ConvTranspose",
        .weight = 3,
        .options = {"1 axis", "2 axes", "stride", "dilation", "SAME_UPPER", "SAME_LOWER", "VALID",
                    "pads", "output_padding", "groups", "bias"},
        .make = make_conv_transpose,
        .operators = {{"ConvTranspose", reference_conv_transpose}},
    };
    return kind;
}

}  // namespace emulsion
