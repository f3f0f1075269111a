#include "backend/constant_layout.h"

#include <algorithm>
#include <cstring>

#include "backend/box_copy.h"
#include "backend/fill_value.h"

namespace emulsion {

ConstantLayout::ConstantLayout(const Tensor &tensor, const Layout &layout)
    : tensor_(tensor), fill_(layout.fill) {
    const std::vector<int64_t> extents = tensor.extents();
    const std::vector<BufferDimension> buffer = buffer_dimensions(extents, layout);
    const std::vector<BufferDimension> source =
        buffer_dimensions(extents, row_major(static_cast<int>(extents.size())));
    allocated_ = allocated_elements(extents, layout);
    for (int axis : layout.order) {
        const auto a = static_cast<size_t>(axis);
        Dimension d{buffer[a].extent, buffer[a].stride, -buffer[a].min, extents[a],
                    source[a].stride};
        if (axis == layout.block_axis) {
            blocks_ = static_cast<int>(dimensions_.size());
            d.count = extents[a] / layout.block;
            d.source_stride *= layout.block;
            tail_ = extents[a] % layout.block;
        }
        dimensions_.push_back(d);
    }
    if (layout.block_axis >= 0) {
        lanes_ = static_cast<int>(dimensions_.size());
        dimensions_.push_back({layout.block, 1, 0, layout.block,
                               source[static_cast<size_t>(layout.block_axis)].stride});
    }
}

std::vector<LayoutPiece> ConstantLayout::pieces(int64_t elements) const {
    // Dimensions before `cut` are walked element by element, `cut` in ranges of `step`.
    size_t cut = 0;
    int64_t inner = allocated_;
    while (cut < dimensions_.size()) {
        inner /= std::max<int64_t>(dimensions_[cut].extent, 1);
        if (inner <= elements) {
            break;
        }
        cut++;
    }
    LayoutPiece piece;
    piece.from.assign(dimensions_.size(), 0);
    for (const Dimension &d : dimensions_) {
        piece.to.push_back(d.extent);
    }
    std::vector<LayoutPiece> result;
    if (dimensions_.empty() || allocated_ == 0) {
        piece.end = allocated_;
        result.push_back(piece);
        return result;
    }
    const int64_t step = std::max<int64_t>(1, elements / std::max<int64_t>(inner, 1));
    int64_t outer = 1;
    for (size_t d = 0; d < cut; d++) {
        outer *= dimensions_[d].extent;
    }
    for (int64_t o = 0; o < outer; o++) {
        int64_t rest = o;
        for (size_t d = cut; d-- > 0;) {
            piece.from[d] = rest % dimensions_[d].extent;
            piece.to[d] = piece.from[d] + 1;
            rest /= dimensions_[d].extent;
        }
        const int64_t extent = dimensions_[cut].extent;
        for (int64_t i = 0; i < extent; i += step) {
            piece.from[cut] = i;
            piece.to[cut] = std::min(i + step, extent);
            piece.begin = (o * extent + i) * inner;
            piece.end = (o * extent + piece.to[cut]) * inner;
            result.push_back(piece);
        }
    }
    return result;
}

// The part of the piece that lies in `region`, a box of the tensor's elements.
void ConstantLayout::copy(const LayoutPiece &piece, const std::vector<Dimension> &region,
                          std::byte *out) const {
    std::vector<BoxDimension> box;
    int64_t from = 0;
    int64_t to = -piece.begin;
    for (size_t d = 0; d < region.size(); d++) {
        const Dimension &r = region[d];
        const int64_t begin = std::max(piece.from[d], r.first);
        const int64_t end = std::min(piece.to[d], r.first + r.count);
        if (begin >= end) {
            return;
        }
        box.push_back({end - begin, r.source_stride, r.stride});
        from += (begin - dimensions_[d].first) * r.source_stride;
        to += begin * r.stride;
    }
    const int bytes = size_of(tensor_.type);
    copy_box(std::move(box), bytes, tensor_.constant->bytes + from * bytes, out + to * bytes);
}

void ConstantLayout::write(const LayoutPiece &piece, std::byte *out) const {
    const int bytes = size_of(tensor_.type);
    if (allocated_ != tensor_.element_count()) {
        const uint64_t value = fill_bits(fill_, tensor_.type);
        for (int64_t i = 0; i < piece.end - piece.begin; i++) {
            std::memcpy(out + i * bytes, &value, static_cast<size_t>(bytes));
        }
    }
    copy(piece, dimensions_, out);
    if (tail_ > 0) {
        std::vector<Dimension> region = dimensions_;
        Dimension &blocks = region[static_cast<size_t>(blocks_)];
        blocks.first = blocks.count;
        blocks.count = 1;
        region[static_cast<size_t>(lanes_)].count = tail_;
        copy(piece, region, out);
    }
}

void lay_out(const Tensor &tensor, const Layout &layout, std::byte *out) {
    const ConstantLayout constant(tensor, layout);
    for (const LayoutPiece &piece : constant.pieces(constant.allocated())) {
        constant.write(piece, out);
    }
}

}  // namespace emulsion
