// Softmax and LogSoftmax: what they have in common.
#pragma once

#include <functional>
#include <string>

#include "frontend/ops/operator.h"

namespace emulsion {

// Attribute axis of a node (default: the last) as 0 .. rank-1. Throws Error if it is outside.
int softmax_axis(const OperatorContext &context);
// The checks of an operator that maps operand 0 along that axis to a result of its shape.
void check_softmax(const OperatorContext &context);

// The operator `type`: `function` of x - m and of the sum of exp(x - m), m the largest element along the
// axis. Subtracting it changes nothing but keeps exp from overflowing.
Operator softmax_operator(
    const std::string &type,
    std::function<Halide::Expr(const Halide::Expr &shifted, const Halide::Expr &sum)> function);

}  // namespace emulsion
