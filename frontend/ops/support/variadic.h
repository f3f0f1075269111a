// Element-wise operators of one or more operands of one type that are broadcast to each other
// (numpy's rules).
#pragma once

#include "frontend/ops/support/binary.h"

namespace emulsion {

// The operator `type`, which computes function(... function(function(x0, x1), x2) ...).
Operator variadic_operator(const std::string &type, const std::vector<DataType> &accepted,
                           const BinaryFunction &function);
// The same, and `finish` of the result and the number of operands.
Operator
variadic_operator(const std::string &type, const std::vector<DataType> &accepted,
                  const BinaryFunction &function,
                  const std::function<Halide::Expr(const Halide::Expr &, int count)> &finish);

}  // namespace emulsion
