// Pieces that the image pipelines of this folder share.
#pragma once

#include <Halide.h>

namespace emulsion::classic {

// Estimates of a generator's input or output: every dimension starts at 0.
template<typename Port>
void estimate_shape(Port &port, const std::vector<int> &extents) {
    Halide::Region region;
    for (const int extent : extents) {
        region.emplace_back(0, extent);
    }
    port.set_estimates(region);
}

// Luma of an image whose third dimension is red, green, blue (ITU-R BT.601).
template<typename Image>
Halide::Expr luma(const Image &rgb, const Halide::Expr &x, const Halide::Expr &y) {
    return 0.299F * rgb(x, y, 0) + 0.587F * rgb(x, y, 1) + 0.114F * rgb(x, y, 2);
}

}  // namespace emulsion::classic
