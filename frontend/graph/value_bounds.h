// Which integers the uses of a value allow: what random inputs have to be drawn from, for the behaviour of
// an index outside of its axis, or of a division by 0, is not defined.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

// Both ends count.
struct ValueBounds {
    int64_t low = std::numeric_limits<int64_t>::min();
    int64_t high = std::numeric_limits<int64_t>::max();

    bool has_low() const { return low != std::numeric_limits<int64_t>::min(); }
    bool has_high() const { return high != std::numeric_limits<int64_t>::max(); }
    bool empty() const { return low > high; }
    bool operator==(const ValueBounds &) const = default;
};

// For each tensor, bounds inside which its elements are valid wherever they are used: as indices into an
// axis (0 to its size - 1), as lengths, as distances of shifts, as divisors (at least 1); through operators
// that only move or convert elements, and through arithmetic with constants. Sufficient, not necessary; of
// a value without such a use, everything. Empty where the uses contradict each other.
std::vector<ValueBounds> value_bounds(const Graph &graph);

}  // namespace emulsion
