// Reductions that see neighbouring axes of a tensor as one of as many elements: where these lie one behind the other in
// memory, vectors run along all of them.
#pragma once

#include <functional>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// What a node reduces, ascending.
using AxesOf = std::function<std::vector<int>(const OperatorContext &)>;

// For an operator whose node reduces `axes`: where these are the last ones, over one axis. `reduces_last` makes a copy of
// the node one that reduces the last axis alone, and keeps it with extent 1.
Implementation flattened_reduction(const AxesOf &axes,
                                   const std::function<void(Node &, int last)> &reduces_last);

// Where the last axis is kept, with vectors along it (support/padded_planes.h): the Funcs of `build`, and where there are
// axes to merge, a copy of the node that `reduces` makes one that reduces those axes, and keeps them with extent 1.
std::vector<Implementation>
planar_reductions(const AxesOf &axes, const std::function<Halide::Func(OperatorContext &)> &build,
                  const std::function<void(Node &, const std::vector<int> &axes)> &reduces);

}  // namespace emulsion
