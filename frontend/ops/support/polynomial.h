// What the real functions of support/ are made of.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <initializer_list>

namespace emulsion {

bool is_f32(const Halide::Expr &x);

// `value` in the type of `x`.
Halide::Expr like(const Halide::Expr &x, double value);

Halide::Expr u32(uint32_t value);

// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
Halide::Expr polynomial(const Halide::Expr &x, std::initializer_list<double> coefficients);

// e^r in f32 for |r| <= ln(2) / 2: relative error 1.05e-7.
Halide::Expr exponential_of_small(const Halide::Expr &r);

// 2^k in f32 for k in [-127, 127], where 2^-127 is taken to be 0; of k, an integer of 32 bits, only the lowest 9 are
// looked at.
Halide::Expr power_of_two(const Halide::Expr &k);

// 2^k e, for f32 `e` in [0.7, 1.5] and i32 `k` in [-180, 180], which becomes 0, a denormal number or infinity where the
// product is one: two multiplications, as 2^k itself may not be a normal number where the product is.
Halide::Expr scaled_by_power_of_two(const Halide::Expr &e, const Halide::Expr &k);

}  // namespace emulsion
