// A tensor in another shape with the same flattened order (Reshape, Flatten, Squeeze, ...), where it does not lie
// in row-major order: axes that are merged or split have to be neighbours in memory, the others may lie anywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fusion/layout.h"

namespace emulsion {

// Neighbouring axes of one shape that together are neighbouring axes of the other, as few as possible; axes of
// extent 1 belong to none.
struct MatchedAxes {
    std::vector<int> from, to;
    // Whether it is one axis, the same on both sides.
    bool kept() const { return from.size() == 1 && to.size() == 1; }
};

// From the first axes to the last; none where there are no elements.
std::vector<MatchedAxes> matched_axes(const std::vector<int64_t> &from,
                                      const std::vector<int64_t> &to);

// The axis of `from` that is axis `axis` of `to`, or -1.
int kept_axis(const std::vector<int64_t> &from, const std::vector<int64_t> &to, int axis);

// The order of axes in which a tensor of extents `to` is the same bytes as one of extents `from` whose axes lie in
// `order`, outermost first; nothing where there is none.
std::optional<std::vector<int>> reshaped_order(const std::vector<int64_t> &from,
                                               const std::vector<int> &order,
                                               const std::vector<int64_t> &to);

// Whether the elements of both tensors in their flattened order lie at the same places, from the beginning of
// their buffers on; not of tensors with a halo, with blocks, or with something before them.
bool lies_reshaped(const std::vector<int64_t> &from, const Layout &from_layout,
                   const std::vector<int64_t> &to, const Layout &to_layout);

}  // namespace emulsion
