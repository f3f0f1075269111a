// Element-wise operators of one operand.
#pragma once

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/elementwise.h"

namespace emulsion {

using UnaryFunction = std::function<Halide::Expr(const Halide::Expr &)>;
// The same for operators with attributes: it reads them, and refuses what it can't do.
using UnaryFunctionOfNode =
    std::function<Halide::Expr(const OperatorContext &, const Halide::Expr &)>;

// The operator `type`, which computes `function` of every element; it accepts elements of the types
// `accepted`, and its result has type `result`, by default that of the operand.
Operator unary_operator(const std::string &type, const std::vector<DataType> &accepted,
                        const UnaryFunction &function, std::optional<DataType> result = {});
Operator unary_operator_of_node(const std::string &type, const std::vector<DataType> &accepted,
                                const UnaryFunctionOfNode &function,
                                std::optional<DataType> result = {});

}  // namespace emulsion
