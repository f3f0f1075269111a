#include "fusion/layout.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "fusion/error.h"

namespace emulsion {

namespace {

int64_t checked_product(int64_t a, int64_t b) {
    int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) {
        throw Error("a tensor's size overflows 63 bits");
    }
    return product;
}

int64_t checked_sum(int64_t a, int64_t b) {
    int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        throw Error("a tensor's size overflows 63 bits");
    }
    return sum;
}

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

bool Layout::has_halo() const {
    return std::any_of(halo.begin(), halo.end(),
                       [](const Margin &m) { return m.before != 0 || m.after != 0; });
}

Margin Layout::margin(int axis) const {
    return static_cast<size_t>(axis) < halo.size() ? halo[static_cast<size_t>(axis)] : Margin{};
}

Layout row_major(int rank) {
    Layout layout;
    layout.order.resize(static_cast<size_t>(rank));
    std::iota(layout.order.begin(), layout.order.end(), 0);
    return layout;
}

std::vector<BufferDimension> buffer_dimensions(const std::vector<int64_t> &extents,
                                               const Layout &layout) {
    assert(layout.order.size() == extents.size());
    std::vector<BufferDimension> dimensions(extents.size());
    const bool blocked = layout.block_axis >= 0;
    int64_t stride = blocked ? layout.block : 1;
    for (auto it = layout.order.rbegin(); it != layout.order.rend(); ++it) {
        const auto axis = static_cast<size_t>(*it);
        const Margin margin = layout.margin(*it);
        BufferDimension &d = dimensions[axis];
        d.min = -margin.before;
        d.extent = checked_sum(checked_sum(extents[axis], margin.before), margin.after);
        if (*it == layout.block_axis) {
            assert(margin == Margin{});
            d.extent = ceil_div(extents[axis], layout.block);
        }
        d.stride = stride;
        stride = checked_product(stride, std::max<int64_t>(d.extent, 1));
    }
    if (blocked) {
        dimensions.push_back({0, layout.block, 1});
    }
    return dimensions;
}

int64_t allocated_elements(const std::vector<int64_t> &extents, const Layout &layout) {
    int64_t count = 1;
    for (const BufferDimension &d : buffer_dimensions(extents, layout)) {
        count = checked_product(count, d.extent);
    }
    return count;
}

int64_t interior_offset(const std::vector<int64_t> &extents, const Layout &layout) {
    int64_t offset = 0;
    for (const BufferDimension &d : buffer_dimensions(extents, layout)) {
        offset -= d.min * d.stride;
    }
    return offset;
}

int64_t element_count(const std::vector<int64_t> &extents) {
    int64_t count = 1;
    for (int64_t e : extents) {
        count = checked_product(count, e);
    }
    return count;
}

}  // namespace emulsion
