// Arithmetic of integers without traps and undefined behaviour: results wrap around, and a division
// by zero gives 0, as numpy has them. In Halide, 32-bit and 64-bit signed overflow is undefined, and
// division rounds so that remainders are positive. Other types are computed as usual.
#pragma once

#include <Halide.h>

namespace emulsion {

Halide::Expr wrapping_add(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr wrapping_subtract(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr wrapping_multiply(const Halide::Expr &a, const Halide::Expr &b);

// a / b, rounded towards zero.
Halide::Expr divide_integers(const Halide::Expr &a, const Halide::Expr &b);
// a - b * (a / b), with the quotient rounded towards zero (C's %) or down (Python's %).
Halide::Expr remainder_of_truncation(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr remainder_of_floor(const Halide::Expr &a, const Halide::Expr &b);

}  // namespace emulsion
