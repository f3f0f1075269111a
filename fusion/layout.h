// Where the elements of a tensor lie in memory. Algorithms never see a layout: they speak of ONNX's
// logical coordinates, and a layout turns these into addresses.
#pragma once

#include <cstdint>
#include <vector>

namespace emulsion {

// Extra elements around a tensor along one axis.
struct Margin {
    int64_t before = 0;
    int64_t after = 0;
    bool operator==(const Margin &) const = default;
};

// A dense strided layout, with an optional margin (halo) around the tensor and an optional blocked
// axis. Strides and offsets are in elements.
//
// A blocked axis `a` of block size `b` is stored as two dimensions: a / b where `order` says, and
// a % b innermost of all; its extent is rounded up to a multiple of `b`, the rest holds `fill`.
// Elements `around` a tensor count in the strides but, unlike a halo, are neither read nor written:
// they belong to the larger tensor that this one is a *slice* of, or to nobody, where rows are kept
// further apart than they are long.
struct Layout {
    std::vector<int> order;        // logical axes from outermost to innermost
    std::vector<Margin> halo;      // per logical axis; empty means none
    double fill = 0.0;             // value of every element of the halo
    int block_axis = -1;           // the blocked logical axis, or -1
    int64_t block = 1;             // its block size
    std::vector<Margin> around{};  // per logical axis, outside of the halo; empty means none

    bool operator==(const Layout &) const = default;
    bool has_halo() const;
    bool has_surroundings() const { return !around.empty(); }
    // The margin of `axis`, zero where there is no halo.
    Margin margin(int axis) const;
    // The elements around `axis` that are not this tensor's, zero where there are none.
    Margin surroundings(int axis) const;
};

// Row-major (ONNX's own order) layout of a tensor of `rank` axes.
Layout row_major(int rank);

// A dimension as a buffer descriptor wants it: logical coordinates min .. min+extent-1.
struct BufferDimension {
    int64_t min = 0;
    int64_t extent = 0;
    int64_t stride = 0;
    bool operator==(const BufferDimension &) const = default;
};

// The buffer that holds a tensor of `extents` in `layout`, one dimension per logical axis, halo
// included (a halo of p before an axis gives min = -p), what is around it left out. For a blocked axis
// the dimension counts blocks, and one more dimension for the lanes of a block (stride 1) follows all
// others.
std::vector<BufferDimension> buffer_dimensions(const std::vector<int64_t> &extents,
                                               const Layout &layout);

// Elements of the memory that the buffer lies in: halo, rounding and what is around it included.
// Throws Error when it overflows.
int64_t allocated_elements(const std::vector<int64_t> &extents, const Layout &layout);

// Elements between the start of the buffer and the tensor's element (0, 0, ...).
int64_t interior_offset(const std::vector<int64_t> &extents, const Layout &layout);

// Elements between the start of the memory that a slice lies in and the start of its own buffer.
int64_t slice_offset(const std::vector<int64_t> &extents, const Layout &layout);

// The layout of the slice of a tensor of extents `whole_extents` in layout `whole` (which may be a
// slice itself) that has `extents` and begins at `offset`: halo and all, except that a slice has no
// halo along the axes that it is shorter on.
Layout slice_of(const Layout &whole, const std::vector<int64_t> &whole_extents,
                const std::vector<int64_t> &offset, const std::vector<int64_t> &extents);

// True if a tensor of these extents lies in memory densely in row-major order; axes of extent 1
// don't matter.
bool is_dense_row_major(const std::vector<int64_t> &extents, const Layout &layout);

// The other way of a permutation.
std::vector<int> inverted(const std::vector<int> &permutation);

// The layout of the same memory where axis `a` is called `names[a]`.
Layout renamed(const Layout &layout, const std::vector<int> &names);

// Product of `extents`, checked: throws Error where it overflows 63 bits.
int64_t element_count(const std::vector<int64_t> &extents);

}  // namespace emulsion
