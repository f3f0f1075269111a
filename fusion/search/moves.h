// What becomes of every Transpose and Reshape of a graph, and of its results for the caller, by the price of the whole plan.
#pragma once

#include <functional>

#include "fusion/operator_graph.h"
#include "fusion/preferred_orders.h"

namespace emulsion {

// From `start`, the Transposes and the Reshapes that keep axes (keeps_axes) of a kind (same extents, axes, and loop
// nests on both sides), and results for the caller of the same extents and loop nest, are given every other way that they
// can go in turn, one kind after the other, and the cheapest is kept; ways
// that lead to orders of axes which are known already are not priced again. `price` is asked at most `tries` times,
// the first time for `start`, and for nothing else where the graph has none of them.
MoveWays search_moves(const OperatorGraph &graph, const MoveWays &start, int64_t tries,
                      const std::function<double(const MoveWays &)> &price);

}  // namespace emulsion
