// Copies a box of elements from one strided layout to another: the work of laying constants out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulsion {

// One dimension of the box; strides in elements.
struct BoxDimension {
    int64_t extent = 1;
    int64_t from_stride = 0;
    int64_t to_stride = 0;
};

// Copies every element of the box. `box` in any order; of the dimensions, one may have stride 1 on the
// one side and another on the other: then blocks of cache lines are transposed.
void copy_box(std::vector<BoxDimension> box, int element_bytes, const std::byte *from,
              std::byte *to);

}  // namespace emulsion
