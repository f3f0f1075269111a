// Values that lie in the memory of others, so that Slice, Split, Concat and Transpose move nothing: a slice
// of a value is read where that value lies, the operands of a concatenation are written where its result
// lies, a transposed value is read, or its operand written, with the axes in another order, and what is
// reshaped for the caller is written in the caller's place.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"

namespace emulsion {

struct Slice {
    int whole = -1;               // value in whose memory this one lies; -1: in its own
    std::vector<int64_t> offset;  // where it begins there, per axis of the whole
    // Per axis of the whole, the axis of this value that runs along it; empty: the same. Then it is all of
    // the whole.
    std::vector<int> axes{};
    // It is all of the whole in another shape; both lie densely, row-major.
    bool reshaped = false;

    int axis_of_whole(int axis) const;
};

// The layout of a slice of `extents`.
Layout layout_of_slice(const Slice &slice, const Layout &whole,
                       const std::vector<int64_t> &whole_extents,
                       const std::vector<int64_t> &extents);

// For each value what it is a slice of. `orders` says how every value would like to lie: a slice and
// the whole have to agree on the order of their axes. Operands of concatenations, and what a Transpose
// reads or writes, become slices only if `absorb` allows it. An operand of a concatenation that can't be
// one (a constant, an output, one that is in another concatenation already) has to be copied to its place.
// `movers`, by operator: those that have to move elements.
std::vector<Slice> find_slices(const OperatorGraph &graph, const std::vector<Layout> &orders,
                               bool absorb, const std::vector<bool> &movers = {});

// Where the operands of a concatenation begin in its result, along its axis.
std::vector<int64_t> concatenation_offsets(const OperatorGraph &graph,
                                           const Concatenation &concatenation);

}  // namespace emulsion
