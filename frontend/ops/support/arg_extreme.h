// Where the largest or smallest element along an axis is: ArgMax, ArgMin, Hardmax.
#pragma once

#include <string>

#include "frontend/ops/operator.h"

namespace emulsion {

enum class Extreme { Largest, Smallest };

// The position on `axis` of the extreme element of operand 0, for coordinates `kept` on the other axes;
// of equal elements the first, or the last. In two reductions, the extreme and then the least (greatest)
// position that has it.
Halide::Expr arg_extreme(OperatorContext &context, int axis, Extreme extreme, bool last,
                         const std::vector<Halide::Var> &kept);

// The operator `type`.
Operator arg_operator(const std::string &type, Extreme extreme);

}  // namespace emulsion
