// Compile-time operands. See operator.h for constant_integers and constant_reals.
#pragma once

#include "frontend/ops/operator.h"

namespace emulsion {

// The only element of constant operand `index`, exactly, in the operand's own type. Throws Error if
// it is no constant or has not exactly one element.
Halide::Expr constant_scalar(const OperatorContext &context, int index);

}  // namespace emulsion
