#include "frontend/ops/support/real_functions.h"

#include <limits>

#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/polynomial.h"

namespace emulsion {

using Halide::Expr;

namespace {

// e^x = 2^k e^r for k = round(x / ln 2) and |r| <= ln(2) / 2.
struct ReducedExponential {
    Expr bits;   // of a float whose lowest bits are k, as u32
    Expr power;  // e^r
};

// Added to a number below 2^22 it leaves no bits for a fraction, and the lowest ones hold the nearest integer.
constexpr double kShifter = 12582912.0;       // 1.5 * 2^23
constexpr int32_t kShifterBits = 0x4b400000;  // their lowest 9 are 0

ReducedExponential reduce(const Expr &x) {
    // ln 2 = kHigh + kLow: k kHigh is exact for the k that occur.
    constexpr double kHigh = 0.693359375;
    constexpr double kLow = -2.12194440054690583e-4;
    const Expr shifted = strict_sum(x * like(x, 1.4426950408889634), like(x, kShifter));
    const Expr k = strict_difference(shifted, like(x, kShifter));
    // LLVM would subtract k (kHigh + kLow).
    const Expr r = strict_difference(x, k * like(x, kHigh)) - k * like(x, kLow);
    return {.bits = Halide::reinterpret<uint32_t>(shifted), .power = exponential_of_small(r)};
}

// e^x for x <= 88; in f32, e^-87 below -87: this is a normal number, so that k is added to the exponent of e^r.
Expr small_exponential(const Expr &x) {
    if (!is_f32(x)) {
        return Halide::exp(x);
    }
    const ReducedExponential reduced = reduce(at_least(x, like(x, -87.0)));
    return Halide::reinterpret<float>(Halide::reinterpret<uint32_t>(reduced.power) +
                                      (reduced.bits << 23));
}

// ln(1 + t) for t in [0, 1].
Expr log_of_one_plus(const Expr &t) {
    if (!is_f32(t)) {
        return call_libm("log1p", {t});
    }
    // ln(1 + t) = 2 artanh(s) with s = t / (2 + t) in [0, 1/3]; the polynomial is artanh(s) / s in
    // s^2, by weighted least squares on Chebyshev nodes: relative error 5e-9.
    const Expr s = t / (t + like(t, 2.0));
    return s * polynomial(s * s, {2.0, 2 * 0.333332052, 2 * 0.200108954, 2 * 0.139990866,
                                  2 * 0.140138198});
}

// x P(x^2) / Q(x^2) for |x| <= `limit`, beyond which the function is 1 or -1 in f32.
Expr odd_rational(const Expr &x, double limit, std::initializer_list<double> numerator,
                  std::initializer_list<double> denominator) {
    const Expr inside = at_most(at_least(x, like(x, -limit)), like(x, limit));
    const Expr square = inside * inside;
    const Expr ratio = inside * polynomial(square, numerator) / polynomial(square, denominator);
    return at_most(at_least(ratio, like(x, -1.0)), like(x, 1.0));
}

}  // namespace

Expr call_libm(const std::string &name, const std::vector<Expr> &args) {
    return Halide::Internal::Call::make(args.at(0).type(), name, args,
                                        Halide::Internal::Call::PureExtern);
}

Expr exponential(const Expr &x) {
    if (!is_f32(x)) {
        return Halide::exp(x);
    }
    const ReducedExponential reduced = reduce(at_most(at_least(x, like(x, -104.0)), like(x, 89.0)));
    const Expr k = Halide::reinterpret<int32_t>(reduced.bits) - kShifterBits;
    return scaled_by_power_of_two(reduced.power, k);
}

Expr exponential_of_negative(const Expr &x) {
    return is_f32(x) ? choose(less(x, like(x, -87.0)), like(x, 0.0), small_exponential(x))
                     : Halide::exp(x);
}

Expr logarithm(const Expr &x) {
    if (!is_f32(x)) {
        return Halide::log(x);
    }
    // Halide's logarithm vectorises, but takes neither denormal numbers, nor infinity, nor NaN.
    const Expr tiny = x < std::numeric_limits<float>::min();
    const Expr scaled = Halide::select(tiny, x * like(x, 8388608.0), x);
    const Expr result = Halide::log(scaled) -
                        Halide::select(tiny, like(x, 23.0 * 0.6931471805599453), like(x, 0.0));
    return choose(is_not_a_number(x) || is_positive_infinity(x), x, result);
}

Expr scaled_exponential_minus_one(const Expr &x, double factor) {
    const Expr e = small_exponential(at_most(x, like(x, 0.0)));
    return e * like(x, factor) - like(x, factor);
}

Expr sigmoid(const Expr &x) {
    // No sum of e^-x overflows, and small results keep their precision.
    const Expr most = like(x, is_f32(x) ? 88.0 : 709.0);
    return like(x, 1.0) / (small_exponential(at_most(-x, most)) + like(x, 1.0));
}

Expr hyperbolic_tangent(const Expr &x) {
    if (!is_f32(x)) {
        return Halide::tanh(x);
    }
    // Weighted least squares on [0, 9.1]: relative error 2.3e-8.
    return odd_rational(x, 9.1,
                        {0.999999977, 0.133745567, 0.00348790603, 2.04826652e-05, 1.31793914e-08},
                        {1.0, 0.467078705, 0.0258477548, 0.000327307201, 7.70485014e-07});
}

Expr softplus(const Expr &x) {
    return Halide::max(x, like(x, 0.0)) + log_of_one_plus(small_exponential(-Halide::abs(x)));
}

Expr mish(const Expr &x) {
    // tanh(ln(1 + e)) = ((1 + e)^2 - 1) / ((1 + e)^2 + 1) = n / (n + 2) with n = e (e + 2), which is
    // 1 in any precision where e^x is beyond e^20.
    const Expr e = small_exponential(at_most(x, like(x, 20.0)));
    const Expr n = e * (e + like(x, 2.0));
    // LLVM would multiply first, which overflows for large x.
    return x * strict_quotient(n, n + like(x, 2.0));
}

Expr error_function(const Expr &x) {
    if (!is_f32(x)) {
        return call_libm("erf", {x});
    }
    // Weighted least squares on [0, 3.95]: relative error 2.1e-8.
    return odd_rational(
        x, 3.95,
        {1.12837914, 0.191534975, 0.0528734582, 0.003807524, 0.00028467641, 2.02605665e-06},
        {1.0, 0.50307613, 0.114553322, 0.0150537994, 0.00117057761, 3.78327719e-05});
}

}  // namespace emulsion
