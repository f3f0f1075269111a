// Comparisons and limits in which NaN and infinities behave as IEEE 754 says.
//
// Halide lets LLVM assume that there are none: x == x is true for a NaN, and min(x, 1) may be 1.
// That is harmless where they have no meaning. Where ONNX gives them one, use these instead. For
// integers and bools they are the usual operations.
#pragma once

#include <Halide.h>

namespace emulsion {

Halide::Expr is_not_a_number(const Halide::Expr &x);
// Whether `x` is +infinity, or -infinity.
Halide::Expr is_positive_infinity(const Halide::Expr &x);
Halide::Expr is_negative_infinity(const Halide::Expr &x);

// `a` where `condition` holds, else `b`; either may be NaN or infinite.
Halide::Expr choose(const Halide::Expr &condition, const Halide::Expr &a, const Halide::Expr &b);

// False where an operand is NaN.
Halide::Expr equal(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr less(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr less_equal(const Halide::Expr &a, const Halide::Expr &b);

// min(x, limit) and max(x, limit), for the price of min and max: NaN where `x` is NaN.
Halide::Expr at_most(const Halide::Expr &x, const Halide::Expr &limit);
Halide::Expr at_least(const Halide::Expr &x, const Halide::Expr &limit);
// NaN where an operand is NaN.
Halide::Expr minimum(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr maximum(const Halide::Expr &a, const Halide::Expr &b);

// a + b, a - b, a * b and a / b of floats, computed as they are written: combined with no other operation, and infinite or
// NaN where they are. How the operands are computed is left to LLVM.
Halide::Expr strict_sum(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr strict_difference(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr strict_product(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr strict_quotient(const Halide::Expr &a, const Halide::Expr &b);

}  // namespace emulsion
