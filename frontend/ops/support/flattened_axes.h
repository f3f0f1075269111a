// Reductions over the last axes of a tensor as one over a single axis of as many elements: where these lie one behind the
// other in memory, vectors run along all of them.
#pragma once

#include <functional>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// For an operator whose node reduces `axes` (ascending). `reduces_last` makes a copy of the node one that reduces the last
// axis alone, and keeps it with extent 1.
Implementation
flattened_reduction(const std::function<std::vector<int>(const OperatorContext &)> &axes,
                    const std::function<void(Node &, int last)> &reduces_last);

}  // namespace emulsion
