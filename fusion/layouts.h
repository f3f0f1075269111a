// The layout of every value of a graph: which axis lies innermost, and which halo surrounds it.
#pragma once

#include <vector>

#include "fusion/move_way.h"
#include "fusion/operator_graph.h"
#include "fusion/slices.h"

namespace emulsion {

// The layout that a caller of the pipeline sees: the natural order, no halo.
Layout caller_layout(const Value &value);

// Whether MoveWays are about `op`: all that it does is to move axes, or to merge and split some and keep others.
bool only_moves(const OperatorGraph &graph, const PlannerOperator &op);

// For each value the order of axes that its producer and consumers like best: the axis along which
// the producer writes vectors (else: consumers read them, else: as the first operand has it)
// innermost. Outputs that nobody reads again, and constants, lie as the caller has them: what an
// operator wants of a constant is its own affair (Operand::constant_layout).
std::vector<Layout> preferred_orders(const OperatorGraph &graph, const MoveWays &ways = {});

// Layouts of these orders (preferred_orders), with a halo that covers what the consumers read around the
// value. Where consumers expect different values there, the first one gets the halo and the others have to
// select. Values whose rows would meet in a few sets of the first-level cache get their rows further apart.
// A slice lies as the whole does, and has its halo.
//
// `aligned`: vectors may have to begin at multiples of that many elements, from the start of a value's buffer and
// from that of the value itself; rows of values with a halo or with slices are lengthened until they do. (A
// GPU's; CPUs have no such vectors: 1.)
std::vector<Layout> preferred_layouts(const OperatorGraph &graph, std::vector<Layout> orders,
                                      const std::vector<Slice> &slices = {}, int64_t aligned = 1);

// Operators whose operands or result are slices that don't begin at such a multiple: they have to move elements,
// as `movers` (by operator) do already.
std::vector<int> misaligned_slices(const OperatorGraph &graph, const std::vector<Slice> &slices,
                                   const std::vector<Layout> &layouts, int64_t aligned,
                                   const std::vector<bool> &movers = {});

}  // namespace emulsion
