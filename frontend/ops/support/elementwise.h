// Operators that compute every element of the result from the elements of their operands at the same
// place, operands being broadcast (numpy's rules). unary.h, binary.h and variadic.h have the
// common forms.
#pragma once

#include <string>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// The elements of the operands -> the element of the result. May read attributes, and refuse: it is
// also called when the node is checked.
using ElementFunction =
    std::function<Halide::Expr(const OperatorContext &, const std::vector<Halide::Expr> &)>;
// The type of the result.
using ResultType = std::function<DataType(const OperatorContext &)>;

struct Elementwise {
    std::string type;
    // Refuses operands that are absent or have the wrong type. Shapes are checked in any case.
    std::function<void(const OperatorContext &)> check_operands;
    ElementFunction function;
    ResultType result_type;  // null: the type of operand 0
};

Operator elementwise_operator(const Elementwise &description);

}  // namespace emulsion
