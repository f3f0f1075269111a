// Conversion of elements from one type to another, as Cast has it.
#pragma once

#include "frontend/ops/operator.h"

namespace emulsion {

// `x` in type `to`: reals are rounded towards zero, integers wrap around, and bools are x != 0.
// Reals that `to` can't hold give some number, as in ONNX Runtime.
Halide::Expr convert(const Halide::Expr &x, const Halide::Type &to);

// The type that attribute `to` names. Throws Error if it is none of ours.
DataType target_type(const OperatorContext &context);

}  // namespace emulsion
