#include "tests/graphs/windows.h"

#include <algorithm>

namespace emulsion::test {

std::vector<WindowAxis> windows_of(const Node &node, const Shape &x, const Shape &kernel) {
    const size_t axes = kernel.size();
    const Shape ones(axes, 1), pads = node.integers("pads", Shape(2 * axes, 0));
    const Shape strides = node.integers("strides", ones),
                dilations = node.integers("dilations", ones);
    const std::string automatic = node.text("auto_pad", "NOTSET");
    const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    std::vector<WindowAxis> windows;
    for (size_t i = 0; i < axes; i++) {
        WindowAxis axis{x[i + 2], kernel[i], strides[i], dilations[i], 0, 0, 0};
        const int64_t span = axis.dilation * (axis.kernel - 1) + 1;
        if (same) {
            axis.output = (axis.input + axis.stride - 1) / axis.stride;
            const int64_t pad =
                std::max<int64_t>(0, (axis.output - 1) * axis.stride + span - axis.input);
            axis.before = automatic == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
            axis.after = pad - axis.before;
            windows.push_back(axis);
            continue;
        }
        if (automatic == "NOTSET") {
            axis.before = pads[i];
            axis.after = pads[axes + i];
        }
        const int64_t room = axis.input + axis.before + axis.after - span;
        if (node.integer("ceil_mode", 0) != 0) {
            axis.output = room < 0 ? 0 : (room + axis.stride - 1) / axis.stride + 1;
            // A window that would begin in the padding behind the operand is none.
            axis.output -= (axis.output - 1) * axis.stride >= axis.input + axis.before ? 1 : 0;
        } else {
            axis.output = room < 0 ? 0 : room / axis.stride + 1;
        }
        windows.push_back(axis);
    }
    return windows;
}

Shape outputs_of(const std::vector<WindowAxis> &windows) {
    Shape shape;
    for (const WindowAxis &axis : windows) {
        shape.push_back(axis.output);
    }
    return shape;
}

std::vector<std::string> window_options(bool pool, std::vector<std::string> others) {
    std::vector<std::string> all = {"1 axis",     "2 axes", "3 axes",         "stride",
                                    "dilation",   "pads",   "one-sided pads", "SAME_UPPER",
                                    "SAME_LOWER", "VALID",  "window of 1"};
    if (pool) {
        all.emplace_back("ceil_mode");
    }
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

DrawnWindows draw_windows(GraphMaker &maker, const Shape &x, bool pool) {
    Draw &draw = maker.draw;
    const size_t axes = x.size() - 2;
    DrawnWindows drawn;
    const bool strides = draw.one_in(3), dilations = draw.one_in(5), pointwise = draw.one_in(4);
    Shape stride, dilation, before, after;
    const int64_t padding = draw.integer(0, 3);  // none, symmetric, any
    for (size_t i = 0; i < axes; i++) {
        drawn.kernel.push_back(pointwise ? 1 : draw.of<int64_t>({1, 2, 3, 3, 3, 4, 5}));
        stride.push_back(strides ? draw.integer(1, 3) : 1);
        dilation.push_back(dilations ? draw.integer(1, 3) : 1);
        const int64_t most = pool ? drawn.kernel[i] - 1 : drawn.kernel[i];
        before.push_back(padding == 0   ? 0
                         : padding == 3 ? draw.integer(0, most)
                                        : std::min(most, drawn.kernel[i] / 2));
        after.push_back(padding == 3 ? draw.integer(0, most) : before.back());
    }
    const auto any = [](const Shape &list, int64_t beside) {
        return std::any_of(list.begin(), list.end(), [&](int64_t v) { return v != beside; });
    };
    Node node;
    const std::string automatic =
        draw.one_in(5) ? draw.of<std::string>({"SAME_UPPER", "SAME_LOWER", "VALID"}) : "NOTSET";
    if (automatic != "NOTSET") {
        // ONNX's shape inference and ONNX Runtime disagree on SAME with dilations.
        maker.require(!any(dilation, 1));
        node.attributes["auto_pad"] = automatic;
    } else if (any(before, 0) || any(after, 0)) {
        before.insert(before.end(), after.begin(), after.end());
        node.attributes["pads"] = before;
    }
    if (any(stride, 1) || draw.flip()) {
        node.attributes["strides"] = stride;
    }
    if (any(dilation, 1)) {
        node.attributes["dilations"] = dilation;
    }
    if (pool && automatic == "NOTSET" && draw.one_in(3)) {
        node.attributes["ceil_mode"] = int64_t{1};
    }
    for (const WindowAxis &axis : windows_of(node, x, drawn.kernel)) {
        maker.require(axis.output > 0);
        // The window has to be inside of the padded operand.
        maker.require(axis.dilation * (axis.kernel - 1) + 1 <=
                      axis.input + axis.before + axis.after);
    }
    maker.option(axes == 1 ? "1 axis" : axes == 2 ? "2 axes" : "3 axes");
    const auto note = [&](bool taken, const std::string &name) {
        if (taken) {
            maker.option(name);
        }
    };
    note(any(stride, 1), "stride");
    note(any(dilation, 1), "dilation");
    note(node.has("pads"), "pads");
    note(node.has("pads") && !std::equal(after.begin(), after.end(), before.begin()),
         "one-sided pads");
    note(automatic != "NOTSET", automatic);
    note(!any(drawn.kernel, 1), "window of 1");
    note(node.has("ceil_mode"), "ceil_mode");
    if (pool || draw.flip()) {
        node.attributes["kernel_shape"] = drawn.kernel;
    }
    drawn.attributes = node.attributes;
    return drawn;
}

}  // namespace emulsion::test
