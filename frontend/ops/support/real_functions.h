// Functions of real numbers, for operands of type f32 or f64.
//
// In f32 they vectorise: polynomials, rational functions and integers, no call per lane. The errors stated are those of
// f32 against exact arithmetic, in units of the exact result's last place (ulp), over all floats; `bench/vector_math`
// measures them, and bench/function_errors.cpp has the same bounds. In f64 they are libm's. NaN gives NaN, infinities give
// the limits.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace emulsion {

// e^x: 3 ulp; infinity above 88.73, 0 below -104.
Halide::Expr exponential(const Halide::Expr &x);
// e^x for x <= 0: 3 ulp; 0 below -87.
Halide::Expr exponential_of_negative(const Halide::Expr &x);
// ln x: 3 ulp, or 4e-7 where that is more; NaN for negative x, -infinity for 0.
Halide::Expr logarithm(const Halide::Expr &x);
// factor (e^x - 1) for x <= 0; some number otherwise. Error 4e-7 factor.
Halide::Expr scaled_exponential_minus_one(const Halide::Expr &x, double factor);
// 1 / (1 + e^-x): 5 ulp; below -87 at most 2e-38.
Halide::Expr sigmoid(const Halide::Expr &x);
// 7 ulp.
Halide::Expr hyperbolic_tangent(const Halide::Expr &x);
// ln(1 + e^x): 6 ulp; below -87 at most 2e-38.
Halide::Expr softplus(const Halide::Expr &x);
// x tanh(softplus(x)): 7 ulp from -80 on; one exponential and one division.
Halide::Expr mish(const Halide::Expr &x);
// The error function: 7 ulp.
Halide::Expr error_function(const Halide::Expr &x);
// Of every float, however large: 3 ulp. NaN for infinities.
Halide::Expr sine(const Halide::Expr &x);
Halide::Expr cosine(const Halide::Expr &x);
// 5 ulp.
Halide::Expr tangent(const Halide::Expr &x);
// x^y with the special cases of the standard C library's pow: 3 ulp.
Halide::Expr power(const Halide::Expr &x, const Halide::Expr &y);

// The function `name` of libm, called for every element.
Halide::Expr call_libm(const std::string &name, const std::vector<Halide::Expr> &args);

}  // namespace emulsion
