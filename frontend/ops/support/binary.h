// Element-wise operators of two operands that are broadcast to each other (numpy's rules).
#pragma once

#include <string>

#include "frontend/ops/operator.h"

namespace emulsion {

using BinaryFunction = std::function<Halide::Expr(const Halide::Expr &, const Halide::Expr &)>;

// The operator `type`, which computes `function` of every pair of numbers.
Operator binary_operator(const std::string &type, const BinaryFunction &function);

}  // namespace emulsion
