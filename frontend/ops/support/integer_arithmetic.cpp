#include "frontend/ops/support/integer_arithmetic.h"

namespace emulsion {

using Halide::Expr;

namespace {

// Computes with unsigned numbers, which wrap, where signed ones must not overflow.
template<typename Function>
Expr wrapping(const Expr &a, const Expr &b, const Function &function) {
    const Halide::Type type = a.type();
    if (!type.is_int() || type.bits() < 32) {
        return function(a, b);
    }
    const Halide::Type wraps = Halide::UInt(type.bits());
    return Halide::reinterpret(
        type, function(Halide::reinterpret(wraps, a), Halide::reinterpret(wraps, b)));
}

Expr zero_like(const Expr &x) { return Halide::Internal::make_zero(x.type()); }

// A divisor that can't trap: neither 0 nor, since lowest / -1 overflows, -1.
Expr harmless(const Expr &b) {
    const Expr one = Halide::Internal::make_one(b.type());
    const Expr harmful = b.type().is_uint() ? b == zero_like(b) : b == zero_like(b) || b == -one;
    return Halide::select(harmful, one, b);
}

}  // namespace

Expr wrapping_add(const Expr &a, const Expr &b) {
    return wrapping(a, b, [](const Expr &x, const Expr &y) { return x + y; });
}

Expr wrapping_subtract(const Expr &a, const Expr &b) {
    return wrapping(a, b, [](const Expr &x, const Expr &y) { return x - y; });
}

Expr wrapping_multiply(const Expr &a, const Expr &b) {
    return wrapping(a, b, [](const Expr &x, const Expr &y) { return x * y; });
}

Expr divide_integers(const Expr &a, const Expr &b) {
    const Expr zero = zero_like(b);
    const Expr quotient =
        Halide::select(b == zero, zero, Halide::div_round_to_zero(a, harmless(b)));
    return a.type().is_uint() ? quotient
                              : Halide::select(b == -Halide::Internal::make_one(b.type()),
                                               wrapping_subtract(zero, a), quotient);
}

Expr remainder_of_truncation(const Expr &a, const Expr &b) {
    // For divisors 0 and -1 the remainder is that of 1: 0.
    return Halide::mod_round_to_zero(a, harmless(b));
}

Expr remainder_of_floor(const Expr &a, const Expr &b) {
    Expr remainder = remainder_of_truncation(a, b);
    if (a.type().is_uint()) {
        return remainder;
    }
    const Expr zero = zero_like(b);
    // The two have different signs: adding them can't overflow.
    return Halide::select(remainder != zero && (remainder < zero) != (b < zero), remainder + b,
                          remainder);
}

}  // namespace emulsion
