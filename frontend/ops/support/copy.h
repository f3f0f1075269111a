// Operators that pass operand 0 on.
#pragma once

#include "frontend/ops/operator.h"

namespace emulsion {

// One pure Func that copies operand 0, and the checks for it.
Halide::Func build_copy(OperatorContext &context);
void check_copy(const OperatorContext &context);

}  // namespace emulsion
