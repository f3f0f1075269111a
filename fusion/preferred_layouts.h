// The layouts of a graph's values in memory, once the order of their axes is known: halos, and rows that are longer than
// what they hold.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/slices.h"

namespace emulsion {

// Layouts of these orders (preferred_orders), with a halo that covers what the consumers read around the
// value. Where consumers expect different values there, the first one gets the halo and the others have to
// select. Values whose rows would meet in a few sets of the first-level cache get their rows further apart.
// A slice lies as the whole does, and has its halo. Inputs that lie as the caller has them but for axes of one element
// have the caller's order.
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
