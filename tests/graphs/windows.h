// Sliding windows of convolutions and pools: drawn for the generator, resolved for the reference.
#pragma once

#include "tests/graphs/graph_maker.h"

namespace emulsion::test {

struct WindowAxis {
    int64_t input = 1, kernel = 1, stride = 1, dilation = 1, before = 0, after = 0, output = 0;

    int64_t position(int64_t window, int64_t tap) const {
        return window * stride + tap * dilation - before;
    }
    bool inside(int64_t position) const { return position >= 0 && position < input; }
};

// By the node's attributes, one per spatial axis of an operand of shape `x`.
std::vector<WindowAxis> windows_of(const Node &node, const Shape &x, const Shape &kernel);
Shape outputs_of(const std::vector<WindowAxis> &windows);

// Attributes of random windows over an image of shape `x`, options noted. Throws Unfit where none fits.
struct DrawnWindows {
    Shape kernel;
    std::map<std::string, Attribute> attributes;
};
DrawnWindows draw_windows(GraphMaker &maker, const Shape &x, bool pool);
// The options that it notes.
std::vector<std::string> window_options(bool pool, std::vector<std::string> others);

}  // namespace emulsion::test
