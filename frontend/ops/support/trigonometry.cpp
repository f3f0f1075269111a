// Sine, cosine and tangent in f32 for every float, without a call: Payne and Hanek's reduction ("Radian reduction for
// trigonometric functions", SIGNUM Newsletter 18(1), 1983) in integers.
#include <array>

#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/polynomial.h"
#include "frontend/ops/support/real_functions.h"

namespace emulsion {

using Halide::Expr;

namespace {

// x = quadrant pi/2 + r, |r| <= pi/4, of |x|; `quadrant` modulo 4, as u32.
struct ReducedAngle {
    Expr r, quadrant;
};

// 26 zeros and the first 230 binary places of 2 / pi: bit 0 has the weight 2^25.
constexpr std::array<uint32_t, 8> kTwoOverPi = {0x00000028, 0xbe60db93, 0x91054a7f, 0x09d5f47d,
                                                0x4d377036, 0xd8a5664f, 0x10e4107f, 0x9458eaf7};
constexpr int kWindowWords = 3;

Expr u64(const Expr &value) { return Halide::cast<uint64_t>(value); }

// 96 bits of the string above from bit `first` on, in three words; first < 160.
std::array<Expr, kWindowWords> window(const Expr &first) {
    const Expr word = first >> 5, shift = first & 31;
    std::array<Expr, kWindowWords + 1> whole;
    for (size_t i = 0; i < whole.size(); i++) {
        whole[i] = u32(kTwoOverPi[i]);
        for (uint32_t skipped = 1; i + skipped < kTwoOverPi.size(); skipped++) {
            whole[i] = Halide::select(word < u32(skipped), whole[i], u32(kTwoOverPi[i + skipped]));
        }
    }
    std::array<Expr, kWindowWords> cut;
    for (size_t i = 0; i < cut.size(); i++) {
        cut[i] = (whole[i] << shift) | ((whole[i + 1] >> 1) >> (31 - shift));
    }
    return cut;
}

ReducedAngle reduce(const Expr &x) {
    const Expr half = u32(126);  // the exponent's bits of 0.5, below which r = x
    const Expr bits = Halide::reinterpret<uint32_t>(x) & u32(0x7fffffff);
    const Expr exponent = bits >> 23;
    const Expr mantissa = (bits & u32(0x007fffff)) | u32(0x00800000);
    // |x| = mantissa 2^(exponent - 150). The mantissa is an integer, so that bits of 2^(exponent - 150) 2 / pi of at
    // least 4 make whole turns: the window starts with the bit of weight 2. After the multiplication two bits of 64
    // are the quadrant below |x|, and the 62 others how far it goes on to the next one, in quarters of a turn.
    const auto w = window(Halide::max(exponent, half) - half);
    const Expr turns = (u64(mantissa * w[0]) << 32) + u64(mantissa) * u64(w[1]) +
                       ((u64(mantissa) * u64(w[2])) >> 32);
    const Expr nearest = Halide::cast<uint32_t>(turns >> 61) + 1;  // in eighths
    // Without the quadrant, and with a sign: from -1/2 to 1/2 of a quarter, in 2^-64 of it.
    const Expr fraction = turns << 2;
    const Expr high = Halide::reinterpret<int32_t>(Halide::cast<uint32_t>(fraction >> 32));
    const Expr low = Halide::cast<uint32_t>(fraction);
    constexpr double kWord = 4294967296.0, kQuarter = 1.5707963267948966;
    const Expr rest = Halide::cast<float>(high) * like(x, kQuarter / kWord) +
                      Halide::cast<float>(low) * like(x, kQuarter / kWord / kWord);
    const Expr is_small = exponent < half;
    return {.r = Halide::select(is_small, Halide::abs(x), rest),
            .quadrant = Halide::select(is_small, u32(0), (nearest >> 1) & 3)};
}

// Of |r| <= pi/4, by weighted least squares: errors 4e-9 r and 1e-10.
Expr sine_near_zero(const Expr &r) {
    const Expr square = r * r;
    return r + r * square * polynomial(square, {-0.166666549, 0.00833217791, -0.000195172658});
}

Expr cosine_near_zero(const Expr &r) {
    const Expr square = r * r;
    return polynomial(square, {1.0, -0.5, 0.0416666469, -0.00138873672, 2.44384136e-05});
}

Expr is_odd(const Expr &quadrant) { return (quadrant & 1) != 0; }

// `value`, negated where bit 31 of `sign` is set; NaN where `x` is infinite or NaN.
Expr finished(const Expr &value, const Expr &sign, const Expr &x) {
    const Expr bits = Halide::reinterpret<uint32_t>(value) ^ (sign & u32(0x80000000));
    const Expr is_finite = (Halide::reinterpret<uint32_t>(x) & u32(0x7f800000)) != u32(0x7f800000);
    return Halide::reinterpret<float>(Halide::select(is_finite, bits, u32(0x7fc00000)));
}

Expr sign_of(const Expr &x) { return Halide::reinterpret<uint32_t>(x); }

// The sine of an angle that is `quarters` turns further.
Expr sine_after(const ReducedAngle &angle, uint32_t quarters, const Expr &sign, const Expr &x) {
    const Expr quadrant = angle.quadrant + u32(quarters);
    const Expr value =
        Halide::select(is_odd(quadrant), cosine_near_zero(angle.r), sine_near_zero(angle.r));
    return finished(value, sign ^ (quadrant << 30), x);
}

}  // namespace

Expr sine(const Expr &x) {
    return is_f32(x) ? sine_after(reduce(x), 0, sign_of(x), x) : Halide::sin(x);
}

Expr cosine(const Expr &x) {
    return is_f32(x) ? sine_after(reduce(x), 1, u32(0), x) : Halide::cos(x);
}

Expr tangent(const Expr &x) {
    if (!is_f32(x)) {
        return Halide::tan(x);
    }
    const ReducedAngle angle = reduce(x);
    const Expr sine = sine_near_zero(angle.r), cosine = cosine_near_zero(angle.r);
    const Expr odd = is_odd(angle.quadrant);
    const Expr value = Halide::select(odd, cosine, sine) / Halide::select(odd, sine, cosine);
    return finished(value, sign_of(x) ^ (angle.quadrant << 31), x);
}

}  // namespace emulsion
