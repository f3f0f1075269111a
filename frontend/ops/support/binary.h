// Element-wise operators of two operands of one type that are broadcast to each other (numpy's
// rules).
#pragma once

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/elementwise.h"

namespace emulsion {

using BinaryFunction = std::function<Halide::Expr(const Halide::Expr &, const Halide::Expr &)>;
// The same for operators with attributes: it reads them, and refuses what it can't do.
using BinaryFunctionOfNode = std::function<Halide::Expr(
    const OperatorContext &, const Halide::Expr &, const Halide::Expr &)>;

// The operator `type`, which computes `function` of every pair of elements; it accepts elements of
// the types `accepted`, and its result has type `result`, by default that of the operands.
Operator binary_operator(const std::string &type, const std::vector<DataType> &accepted,
                         const BinaryFunction &function, std::optional<DataType> result = {});
Operator binary_operator_of_node(const std::string &type, const std::vector<DataType> &accepted,
                                 const BinaryFunctionOfNode &function,
                                 std::optional<DataType> result = {});

}  // namespace emulsion
