// Values that lie in the memory of larger ones, so that Slice, Split and Concat move nothing: a slice
// of a value is read where that value lies, and the operands of a concatenation are written where its
// result lies.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"

namespace emulsion {

struct Slice {
    int whole = -1;               // value in whose memory this one lies; -1: in its own
    std::vector<int64_t> offset;  // where it begins there, per axis
};

// For each value what it is a slice of. `orders` says how every value would like to lie: a slice and
// the whole have to agree on the order of their axes. Operands of concatenations become slices only if
// `absorb` allows it. An operand that can't be one (a constant, an output, one that is in another
// concatenation already) has to be copied to its place.
std::vector<Slice> find_slices(const OperatorGraph &graph, const std::vector<Layout> &orders,
                               bool absorb);

// Where the operands of a concatenation begin in its result, along its axis.
std::vector<int64_t> concatenation_offsets(const OperatorGraph &graph,
                                           const Concatenation &concatenation);

}  // namespace emulsion
