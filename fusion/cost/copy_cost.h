// What a copy of a value takes.
#pragma once

#include <vector>

#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

// Cycles of the busiest core for a kernel that copies `value` from memory where its axes lie in the order
// `from` to memory where they lie in the order `to` (outermost first).
double copy_cycles(const Value &value, const std::vector<int> &from, const std::vector<int> &to,
                   const Machine &machine);

}  // namespace emulsion
