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

// Of one element: x - m, where m is the largest element along the axis (subtracting it changes nothing but keeps exp from
// overflowing), exp of that, and the sum of these along the axis.
struct SoftmaxTerms {
    Halide::Expr shifted, power, sum;
};

// The operator `type`, whose result is `function` of these. Powers are a Func of their own, so that a loop nest may keep
// those of a row between adding them up and dividing them.
Operator softmax_operator(const std::string &type,
                          std::function<Halide::Expr(const SoftmaxTerms &)> function);

}  // namespace emulsion
