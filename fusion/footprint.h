// How much of an operand a tile of the result needs. From this follow halos that are computed twice, the
// bytes that a tile works on, and where a producer can be computed inside of its consumer.
#pragma once

#include <cstdint>
#include <vector>

namespace emulsion {

// One axis of an operand, for a tile of `t` elements along `axis` of the result: (t - 1) * stride + window
// elements, at most all of them. Where `divisor` elements of the result in a row (from a multiple of it on) read the
// same, t counts those.
struct AxisReach {
    int axis = -1;        // of the result; -1: what is read does not depend on where the tile is
    int64_t stride = 0;   // elements from one element of the result to the next
    int64_t window = 1;   // elements for a single one
    bool whole = false;   // all of the axis: the fields above mean nothing
    int64_t divisor = 1;  // of the result's coordinate
    // Of all of the axis: the axis of the result whose coordinate alone says where an element reads, as where an image is
    // resized; -1 for none.
    int gathered_along = -1;

    bool operator==(const AxisReach &) const = default;
};

// Per axis of the operand; empty: unknown, so all of it.
struct Footprint {
    std::vector<AxisReach> axes;

    bool known() const { return !axes.empty(); }
    // Extents of what a tile needs; `tile` per axis of the result, `extents` those of the operand.
    std::vector<int64_t> needed(const std::vector<int64_t> &tile,
                                const std::vector<int64_t> &extents) const;
    bool operator==(const Footprint &) const = default;
};

}  // namespace emulsion
