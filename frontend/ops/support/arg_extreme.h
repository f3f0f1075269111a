// Where the largest or smallest element along an axis is: ArgMax, ArgMin, Hardmax.
#pragma once

#include <string>

#include "frontend/ops/operator.h"
#include "frontend/ops/support/position.h"

namespace emulsion {

// The position on `axis` of the extreme element of operand 0, for coordinates `kept` on the other axes;
// of equal elements the first, or the last.
Halide::Expr arg_extreme(OperatorContext &context, int axis, Extreme extreme, bool last,
                         const std::vector<Halide::Var> &kept);

// The operator `type`.
Operator arg_operator(const std::string &type, Extreme extreme);

}  // namespace emulsion
