// Laying a constant out in pieces: boxes that lie densely in the destination, a few hundred
// kilobytes each, so that a piece is still in the cache when it is hashed and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontend/graph/graph.h"
#include "fusion/layout.h"

namespace emulsion {

// A piece of a laid-out constant: elements begin .. end of the destination, which form a box.
struct LayoutPiece {
    int64_t begin = 0, end = 0;
    std::vector<int64_t> from, to;  // per destination dimension, outermost first
};

class ConstantLayout {
public:
    ConstantLayout(const Tensor &tensor, const Layout &layout);

    // In order of the destination; none has more than about `elements` elements.
    std::vector<LayoutPiece> pieces(int64_t elements) const;
    void write(const LayoutPiece &piece, std::byte *out) const;
    int64_t allocated() const { return allocated_; }

private:
    // A dimension of the destination, and what walking along it means in the source.
    struct Dimension {
        int64_t extent = 1;
        int64_t stride = 1;         // destination, elements
        int64_t first = 0;          // where the tensor begins, after the halo
        int64_t count = 1;          // elements of the tensor
        int64_t source_stride = 0;  // source, elements
    };
    void copy(const LayoutPiece &piece, const std::vector<Dimension> &region, std::byte *out) const;

    const Tensor &tensor_;
    double fill_;
    int64_t allocated_ = 1;
    std::vector<Dimension> dimensions_;  // outermost first
    int blocks_ = -1, lanes_ = -1;       // dimensions of a blocked axis
    int64_t tail_ = 0;                   // lanes in use of its last block, 0 if it is full
};

// The whole constant: `out` gets allocated_elements(extents, layout) elements.
void lay_out(const Tensor &tensor, const Layout &layout, std::byte *out);

}  // namespace emulsion
