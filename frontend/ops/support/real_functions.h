// Functions of real numbers, for operands of type f32 or f64.
//
// In f32 they vectorise: polynomials and rational functions, no call per lane. The relative error
// stated is that of f32 against exact arithmetic, measured over the function's whole range
// (tests/ops/real_functions_test.cpp). In f64 they are libm's. NaN gives NaN, infinities give the limits.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace emulsion {

// e^x: relative error 4e-7; infinity above 88.7, 0 below -104.
Halide::Expr exponential(const Halide::Expr &x);
// e^x for x <= 0: relative error 4e-7; 0 below -87.
Halide::Expr exponential_of_negative(const Halide::Expr &x);
// ln x: error 4e-7 of max(|ln x|, 1); NaN for negative x, -infinity for 0.
Halide::Expr logarithm(const Halide::Expr &x);
// factor (e^x - 1) for x <= 0; some number otherwise. Error 4e-7 factor.
Halide::Expr scaled_exponential_minus_one(const Halide::Expr &x, double factor);
// 1 / (1 + e^-x): relative error 6e-7; below -87 at most 2e-38.
Halide::Expr sigmoid(const Halide::Expr &x);
// Relative error 6e-7.
Halide::Expr hyperbolic_tangent(const Halide::Expr &x);
// ln(1 + e^x): relative error 6e-7; below -87 at most 2e-38.
Halide::Expr softplus(const Halide::Expr &x);
// x tanh(softplus(x)): relative error 1e-6; one exponential and one division.
Halide::Expr mish(const Halide::Expr &x);
// The error function: relative error 6e-7.
Halide::Expr error_function(const Halide::Expr &x);

// The function `name` of libm, called for every element.
Halide::Expr call_libm(const std::string &name, const std::vector<Halide::Expr> &args);

}  // namespace emulsion
