#include "bench/function_errors.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>

#include "frontend/ops/support/real_functions.h"

namespace emulsion {

namespace {

using Halide::Expr;

constexpr int kElements = 1 << 13;  // 32 KB

// Floats in their order as integers without gaps: 0 for both zeros.
int64_t ordinal(float x) {
    const auto bits = std::bit_cast<uint32_t>(x);
    const int64_t size = bits & 0x7fffffffU;
    return (bits >> 31) != 0 ? -size : size;
}

float float_at(int64_t ordinal) {
    const auto size = static_cast<uint32_t>(std::abs(ordinal));
    return std::bit_cast<float>(ordinal < 0 ? size | 0x80000000U : size);
}

// The distance of floats around `exact`.
double unit_in_last_place(double exact) {
    constexpr int kDigits = std::numeric_limits<float>::digits;
    constexpr int kLeast = std::numeric_limits<float>::min_exponent - 1;
    const int exponent = exact == 0.0 ? kLeast : std::max(std::ilogb(exact), kLeast);
    return std::ldexp(1.0, exponent - (kDigits - 1));
}

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double soft_plus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

// A Func of what is in a buffer, compiled for this machine.
class Evaluator {
public:
    explicit Evaluator(const RealFunction &function) : x_(kElements), y_(kElements) {
        Halide::Var i;
        Halide::Func y;
        y(i) = function.computed(x_(i));
        y.bound(i, 0, kElements)
            .vectorize(i, Halide::get_jit_target_from_environment().natural_vector_size<float>());
        pipeline_ = Halide::Pipeline(y);
        pipeline_.compile_jit();
    }

    float &x(int i) { return x_(i); }
    float y(int i) const { return y_(i); }
    void run() { pipeline_.realize(y_); }

    // Nanoseconds per element of what is in the buffer now.
    double time() {
        using Clock = std::chrono::steady_clock;
        constexpr int kRuns = 50;
        double best = std::numeric_limits<double>::infinity();
        for (int i = 0; i < kRuns; i++) {
            const auto start = Clock::now();
            run();
            best = std::min(best,
                            std::chrono::duration<double, std::nano>(Clock::now() - start).count());
        }
        return best / kElements;
    }

private:
    Halide::Buffer<float> x_, y_;
    Halide::Pipeline pipeline_;
};

void look_at(const RealFunction &function, const Evaluator &evaluated, const std::vector<float> &xs,
             FunctionErrors *errors) {
    for (size_t i = 0; i < xs.size(); i++) {
        const double exact = function.exact(xs[i]);
        const double y = evaluated.y(static_cast<int>(i));
        const double away = std::abs(y - exact);
        const bool is_right =
            away <= function.absolute ||
            static_cast<float>(exact) == static_cast<float>(y);  // both infinite, too
        const double ulps = is_right           ? 0.0
                            : std::isnan(away) ? std::numeric_limits<double>::infinity()
                                               : away / unit_in_last_place(exact);
        if (ulps > errors->worst_ulps) {
            errors->worst_ulps = ulps;
            errors->worst_at = xs[i];
        }
    }
    errors->floats += static_cast<int64_t>(xs.size());
}

}  // namespace

const std::vector<RealFunction> &real_functions() {
    constexpr float kMost = std::numeric_limits<float>::max();
    // Below -87 results that would be denormal numbers are some other tiny number, or 0.
    constexpr double kTiny = 2e-38;
    const auto of = [](double (*function)(double)) {
        return std::function<double(double)>(function);
    };
    static const std::vector<RealFunction> functions = {
        {"exp", exponential, of(std::exp), -104.0F, 89.0F, 3.0},
        {"exp of negative", exponential_of_negative, of(std::exp), -104.0F, 0.0F, 3.0, kTiny},
        {"log", logarithm, of(std::log), 0.0F, kMost, 3.0, 4e-7},
        {"sigmoid", sigmoid, logistic, -kMost, kMost, 5.0, kTiny},
        {"tanh", hyperbolic_tangent, of(std::tanh), -kMost, kMost, 7.0},
        {"softplus", softplus, soft_plus, -kMost, kMost, 6.0, kTiny},
        {"mish", mish, [](double x) { return x * std::tanh(soft_plus(x)); }, -80.0F, kMost, 7.0},
        {"erf", error_function, of(std::erf), -kMost, kMost, 7.0},
        {"gelu", [](const Expr &x) { return x * 0.5f * (1.0f + error_function(x * 0.70710678f)); },
         [](double x) { return x * 0.5 * std::erfc(-x * std::sqrt(0.5)); }, -kMost, kMost, 8.0,
         8e-7},
        {"sin", sine, of(std::sin), -kMost, kMost, 3.0},
        {"cos", cosine, of(std::cos), -kMost, kMost, 3.0},
        {"tan", tangent, of(std::tan), -kMost, kMost, 5.0},
        {"x^2.2", [](const Expr &x) { return power(x, 2.2f); },
         [](double x) { return std::pow(x, static_cast<double>(2.2F)); }, 0.0F, kMost, 3.0},
        {"x^-1.7", [](const Expr &x) { return power(x, -1.7f); },
         [](double x) { return std::pow(x, static_cast<double>(-1.7F)); }, 0.0F, kMost, 3.0},
        {"(-3)^x", [](const Expr &x) { return power(-3.0f, x); },
         [](double x) { return std::pow(-3.0, x); }, 8388608.0F, kMost, 3.0},
        {"1.1^x", [](const Expr &x) { return power(1.1f, x); },
         [](double x) { return std::pow(static_cast<double>(1.1F), x); }, -1000.0F, 1000.0F, 3.0},
    };
    return functions;
}

FunctionErrors function_errors(const RealFunction &function, int64_t stride) {
    Evaluator evaluator(function);
    FunctionErrors errors;
    const int64_t last = ordinal(function.highest);
    int64_t next = ordinal(function.lowest);
    while (true) {
        std::vector<float> xs;
        for (; static_cast<int>(xs.size()) < kElements && next < last; next += stride) {
            xs.push_back(float_at(next));
        }
        const bool is_end = static_cast<int>(xs.size()) < kElements;
        if (is_end) {
            xs.push_back(function.highest);
        }
        for (int i = 0; i < kElements; i++) {
            evaluator.x(i) =
                static_cast<size_t>(i) < xs.size() ? xs[static_cast<size_t>(i)] : function.highest;
        }
        evaluator.run();
        look_at(function, evaluator, xs, &errors);
        if (is_end) {
            break;
        }
    }
    // Time of arguments as networks have them.
    const float low = std::max(function.lowest, -8.0F),
                high = std::max(std::min(function.highest, 8.0F), low);
    for (int i = 0; i < kElements; i++) {
        evaluator.x(i) = low + (high - low) * static_cast<float>(i) / kElements;
    }
    errors.ns = evaluator.time();
    return errors;
}

}  // namespace emulsion
