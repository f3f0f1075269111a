// A foreign Halide pipeline as an operator graph: every Func is one operator with one implementation.
#pragma once

#include <Halide.h>

#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

// Sizes come from the estimates of the outputs and what the definitions need for them. Throws Error
// naming the output that lacks an estimate, or a Func that can't be analysed.
OperatorGraph analyze_pipeline(const std::vector<Halide::Func> &outputs, const Machine &machine);

}  // namespace emulsion
