// The layout of every value of a graph: which axis lies innermost, and which halo surrounds it.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/slices.h"

namespace emulsion {

// The layout that a caller of the pipeline sees: the natural order, no halo.
Layout caller_layout(const Value &value);

// For each value the order of axes that its producer and consumers like best: the axis along which
// the producer writes vectors (else: consumers read them, else: as the first operand has it)
// innermost. Outputs that nobody reads again, and constants, lie as the caller has them: what an
// operator wants of a constant is its own affair (Operand::constant_layout). With `absorb`, the result of a
// Transpose lies as its operand does, or the operand as the result, wherever none of them would have to run
// along another axis for it.
std::vector<Layout> preferred_orders(const OperatorGraph &graph, bool absorb);

// preferred_orders, and a halo that covers what the consumers read around the value. Where consumers
// expect different values there, the first one gets the halo and the others have to select. Values
// whose rows would meet in a few sets of the first-level cache get their rows further apart. A slice
// lies as the whole does, and has its halo.
std::vector<Layout> preferred_layouts(const OperatorGraph &graph,
                                      const std::vector<Slice> &slices = {}, bool absorb = false);

}  // namespace emulsion
