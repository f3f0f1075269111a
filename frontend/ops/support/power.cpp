// x^y in f32 without a call, as the standard C library's pow defines it.
#include <limits>

#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/polynomial.h"
#include "frontend/ops/support/real_functions.h"

namespace emulsion {

using Halide::Expr;

namespace {

// Bits of floats.
Expr sign() { return u32(0x80000000); }
Expr infinity() { return u32(0x7f800000); }
Expr one() { return u32(0x3f800000); }
Expr not_a_number() { return u32(0x7fc00000); }
Expr large() { return u32(0x7149f2ca); }  // 1e30
Expr bits_of(const Expr &x) { return Halide::reinterpret<uint32_t>(x); }

// log2 of the positive float of these bits, in f64 with relative error 2^-36, so that 150 times as much is known to
// 2^-28; +-1e300 of infinity and 0.
Expr binary_logarithm(const Expr &bits) {
    const Expr sqrt_half = u32(0x3f3504f3), smallest_normal = u32(0x00800000);
    const Expr is_denormal = bits < smallest_normal;
    const Expr scaled = bits_of(Halide::reinterpret<float>(bits) * 8388608.0f);  // 2^23
    const Expr normal = Halide::select(is_denormal, scaled, bits);
    // = 2^k z, z from 2^-1/2 to 2^1/2.
    const Expr k = Halide::reinterpret<int32_t>(normal - sqrt_half) >> 23;
    const Expr z = Halide::cast<double>(
        Halide::reinterpret<float>(normal - (Halide::reinterpret<uint32_t>(k) << 23)));
    // ln z = 2 artanh(s), |s| <= 0.172; by weighted least squares.
    const Expr s = (z - like(z, 1.0)) / (z + like(z, 1.0));
    const Expr log_z =
        s * polynomial(s * s, {2.885390081790149, 0.9617966732756372, 0.5770835961905214,
                               0.41167210929113013, 0.34074045760752575});
    const Expr log = Halide::cast<double>(k - Halide::select(is_denormal, 23, 0)) + log_z;
    return Halide::select(bits == u32(0), like(z, -1e300), bits == infinity(), like(z, 1e300), log);
}

// 2^t for any t, in f32.
Expr two_to_the(const Expr &t) {
    const Expr inside = Halide::min(Halide::max(t, like(t, -160.0)), like(t, 130.0));
    // Added to a number of few bits, it leaves none for a fraction, and the lowest ones hold the nearest integer.
    const Expr shifter = like(t, 6755399441055744.0);  // 1.5 * 2^52
    const Expr shifted = strict_sum(inside, shifter);
    const Expr r = Halide::cast<float>((inside - strict_difference(shifted, shifter)) *
                                       like(t, 0.6931471805599453));
    const Expr k = Halide::cast<int32_t>(Halide::reinterpret<int64_t>(shifted));
    return scaled_by_power_of_two(exponential_of_small(r), k);
}

struct Parity {
    Expr is_integer, is_odd;
};

Parity parity_of(const Expr &y) {
    const Expr all_even = like(y, 16777216.0);  // floats from 2^24 on
    const Expr whole = Halide::cast<int32_t>(Halide::min(Halide::max(y, -all_even), all_even));
    const Expr is_large = Halide::abs(y) >= all_even;
    const Expr is_integer = Halide::cast<float>(whole) == y || is_large;
    return {.is_integer = is_integer, .is_odd = is_integer && !is_large && (whole & 1) != 0};
}

}  // namespace

Expr power(const Expr &x, const Expr &y) {
    if (!is_f32(x)) {
        return Halide::pow(x, y);
    }
    const Expr x_bits = bits_of(x), y_bits = bits_of(y);
    const Expr x_size = x_bits & ~sign(), y_size = y_bits & ~sign();
    // Finite, so that 0 times it is 0; it takes any base but 1 to its limit.
    const Expr exponent = Halide::reinterpret<float>(
        Halide::select(y_size >= infinity(), large() | (y_bits & sign()), y_bits));
    const Expr size =
        bits_of(two_to_the(Halide::cast<double>(exponent) * binary_logarithm(x_size)));
    const Parity parity = parity_of(exponent);

    const Expr is_negative = x_bits > sign() && x_size != infinity();
    const Expr is_unknown =
        (is_negative && !parity.is_integer) || x_size > infinity() || y_size > infinity();
    const Expr is_one = y_size == u32(0) || x_bits == one();
    const Expr signed_size = size | Halide::select(parity.is_odd, x_bits & sign(), u32(0));
    return Halide::reinterpret<float>(
        Halide::select(is_one, one(), is_unknown, not_a_number(), signed_size));
}

}  // namespace emulsion
