// Operators that write elements at indices which are known at run time.
#pragma once

#include <functional>

#include "frontend/ops/operator.h"

namespace emulsion {

// Throws Error for an attribute `reduction` other than none, add, mul, min and max, and for one that
// the type of operand 0 does not have.
void check_scatter_reduction(const OperatorContext &context);

// Operand 0 with the elements of operand 2 written, or combined as `reduction` says, at
// target(coordinates of operand 2). Of several elements for one place the last one stays.
Halide::Func build_scatter(
    OperatorContext &context,
    const std::function<std::vector<Halide::Expr>(const std::vector<Halide::Expr> &)> &target);

}  // namespace emulsion
