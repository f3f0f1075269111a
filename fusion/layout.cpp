#include "fusion/layout.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "fusion/ceil_div.h"
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

}  // namespace

bool Layout::has_halo() const {
    return std::any_of(halo.begin(), halo.end(),
                       [](const Margin &m) { return m.before != 0 || m.after != 0; });
}

Margin Layout::margin(int axis) const {
    return static_cast<size_t>(axis) < halo.size() ? halo[static_cast<size_t>(axis)] : Margin{};
}

Margin Layout::surroundings(int axis) const {
    return static_cast<size_t>(axis) < around.size() ? around[static_cast<size_t>(axis)] : Margin{};
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
        const Margin others = layout.surroundings(*it);
        const int64_t steps = checked_sum(checked_sum(d.extent, others.before), others.after);
        stride = checked_product(stride, std::max<int64_t>(steps, 1));
    }
    if (blocked) {
        dimensions.push_back({0, layout.block, 1});
    }
    return dimensions;
}

int64_t allocated_elements(const std::vector<int64_t> &extents, const Layout &layout) {
    const auto dimensions = buffer_dimensions(extents, layout);
    int64_t count = 1;
    for (size_t axis = 0; axis < dimensions.size(); axis++) {
        const Margin others = layout.surroundings(static_cast<int>(axis));
        count = checked_product(
            count, checked_sum(checked_sum(dimensions[axis].extent, others.before), others.after));
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

int64_t slice_offset(const std::vector<int64_t> &extents, const Layout &layout) {
    const auto dimensions = buffer_dimensions(extents, layout);
    int64_t offset = 0;
    for (size_t axis = 0; axis < layout.around.size(); axis++) {
        offset += layout.around[axis].before * dimensions[axis].stride;
    }
    return offset;
}

Layout slice_of(const Layout &whole, const std::vector<int64_t> &whole_extents,
                const std::vector<int64_t> &offset, const std::vector<int64_t> &extents) {
    assert(whole.block_axis < 0 && whole_extents.size() == extents.size());
    Layout slice = whole;
    slice.around.resize(extents.size());
    for (size_t axis = 0; axis < extents.size(); axis++) {
        if (extents[axis] == whole_extents[axis]) {
            continue;
        }
        const Margin halo = whole.margin(static_cast<int>(axis));
        const int64_t rest = whole_extents[axis] - offset[axis] - extents[axis];
        assert(offset[axis] >= 0 && rest >= 0);
        slice.around[axis].before += halo.before + offset[axis];
        slice.around[axis].after += halo.after + rest;
        if (!slice.halo.empty()) {
            slice.halo[axis] = {};
        }
    }
    if (!slice.has_halo()) {
        slice.halo.clear();
        slice.fill = 0.0;
    }
    return slice;
}

bool is_dense_row_major(const std::vector<int64_t> &extents, const Layout &layout) {
    if (layout.has_halo() || layout.block_axis >= 0) {
        return false;
    }
    const auto actual = buffer_dimensions(extents, layout);
    const auto wanted = buffer_dimensions(extents, row_major(static_cast<int>(extents.size())));
    for (size_t axis = 0; axis < extents.size(); axis++) {
        if (extents[axis] != 1 && actual[axis].stride != wanted[axis].stride) {
            return false;
        }
    }
    return true;
}

std::vector<int> inverted(const std::vector<int> &permutation) {
    std::vector<int> back(permutation.size());
    for (size_t i = 0; i < permutation.size(); i++) {
        back[static_cast<size_t>(permutation[i])] = static_cast<int>(i);
    }
    return back;
}

Layout renamed(const Layout &layout, const std::vector<int> &names) {
    const auto name = [&](int axis) { return names[static_cast<size_t>(axis)]; };
    const auto moved = [&](const std::vector<Margin> &margins) {
        std::vector<Margin> result(margins.size());
        for (size_t axis = 0; axis < margins.size(); axis++) {
            result[static_cast<size_t>(names[axis])] = margins[axis];
        }
        return result;
    };
    Layout result = layout;
    std::transform(layout.order.begin(), layout.order.end(), result.order.begin(), name);
    result.halo = moved(layout.halo);
    result.around = moved(layout.around);
    result.block_axis = layout.block_axis < 0 ? -1 : name(layout.block_axis);
    return result;
}

int64_t element_count(const std::vector<int64_t> &extents) {
    int64_t count = 1;
    for (int64_t e : extents) {
        count = checked_product(count, e);
    }
    return count;
}

}  // namespace emulsion
