#include "frontend/ops/support/polynomial.h"

#include "frontend/ops/support/ieee.h"

namespace emulsion {

using Halide::Expr;

bool is_f32(const Expr &x) { return x.type() == Halide::Float(32); }

Expr like(const Expr &x, double value) { return Halide::Internal::make_const(x.type(), value); }

Expr u32(uint32_t value) { return Halide::Internal::make_const(Halide::UInt(32), value); }

Expr polynomial(const Expr &x, std::initializer_list<double> coefficients) {
    Expr sum;
    for (const double *c = coefficients.end(); c != coefficients.begin();) {
        --c;
        sum = sum.defined() ? sum * x + like(x, *c) : like(x, *c);
    }
    return sum;
}

Expr exponential_of_small(const Expr &r) {
    return polynomial(r, {1.0, 1.0, 0.499992303, 0.166671154, 0.0418903317, 0.00831250077});
}

// Without a sign, as Halide refuses constants of signed integers that overflow.
Expr power_of_two(const Expr &k) {
    return Halide::reinterpret<float>((Halide::cast<uint32_t>(k) + 127) << 23);
}

Expr scaled_by_power_of_two(const Expr &e, const Expr &k) {
    const Expr half = k >> 1;
    // In this order, and with results that LLVM may not take for finite.
    return strict_product(strict_product(e, power_of_two(half)), power_of_two(k - half));
}

}  // namespace emulsion
