// What the generators of layers share.
#pragma once

#include <Halide.h>

#include <vector>

// Fixes the bounds of a generator's input or output to 0 .. extents[i]-1, and gives the same as
// estimates.
template<typename Port>
void set_shape(Port &port, const std::vector<int> &extents) {
    for (int i = 0; i < static_cast<int>(extents.size()); i++) {
        port.dim(i).set_bounds(0, extents[static_cast<size_t>(i)]);
        port.dim(i).set_estimate(0, extents[static_cast<size_t>(i)]);
    }
}
