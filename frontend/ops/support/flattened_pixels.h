// Implementations that see the pixels of an image as one axis, (n, c, h, w) as (n, c, h w): where they lie one after
// the other in memory, which costs nothing, 13 x 13 of them divide better into blocks than 13 rows of 13.
#pragma once

#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// Of a convolution without a window, where it is a matrix product of channels and pixels.
Implementation flattened_convolution();

// The same with vectors along the pixels (support/padded_planes.h); not of groups.
Implementation flattened_planes();

// Whether these apply.
bool has_flat_pixels(const OperatorContext &convolution);

// A shape (n, c, axes...) with all axes from `first` on as one.
std::vector<int64_t> flattened(const std::vector<int64_t> &shape, size_t first = 2);

// Of an element-wise operator (one whose result is its operands' elements at the same place, broadcast): follows what
// makes its operands.
Implementation flattened_elementwise();

}  // namespace emulsion
