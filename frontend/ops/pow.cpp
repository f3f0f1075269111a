// Pow: Z = X^Y, broadcast, in the type of X; Y may have another one. Exponents that networks are full
// of are products and roots. Where both are f32 the rest is computed in vectors, else by libm, in f64. Powers of
// integers are exact up to 2^53, and rounded towards zero where the exponent is negative or real.
#include <cmath>
#include <optional>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/convert.h"
#include "frontend/ops/support/elementwise.h"
#include "frontend/ops/support/real_functions.h"

namespace emulsion {

using Halide::Expr;

namespace {

void check_operands(const OperatorContext &context) {
    require_type(context, 0, {DataType::F32, DataType::F64, DataType::I32, DataType::I64});
    require_type(context, 1, kNumericTypes);
}

// The exponent, if it is one number that is known now.
std::optional<double> known_exponent(const OperatorContext &context) {
    const Tensor &exponent = context.input(1);
    if (!exponent.is_constant() || exponent.element_count() != 1) {
        return {};
    }
    return constant_reals(context, 1)[0];
}

// Whole exponents up to this one are products. They can't be larger than f64 holds, for any x of f32.
constexpr double kMostProducts = 8.0;

// x^exponent, for exponents from 2 on. In f64: of rounded products an f32 would be 3.4 ulp off at x^7.
Expr product_power(const Expr &x, int exponent) {
    Expr power, square = Halide::cast<double>(x);
    for (int rest = exponent; rest > 0; rest /= 2) {
        if (rest % 2 == 1) {
            power = power.defined() ? power * square : square;
        }
        square = square * square;
    }
    return Halide::cast(x.type(), power);
}

// x^exponent for reals x without a call, or undefined.
Expr simple_power(const Expr &x, double exponent) {
    Expr one = Halide::Internal::make_one(x.type());
    if (exponent == 0.0) {
        return one;
    }
    if (exponent == 1.0) {
        return x;
    }
    if (exponent == 2.0) {
        return x * x;
    }
    if (exponent == 3.0) {
        return x * x * x;
    }
    if (x.type() == Halide::Float(32) && exponent > 3.0 && exponent <= kMostProducts &&
        exponent == std::floor(exponent)) {
        return product_power(x, static_cast<int>(exponent));
    }
    if (exponent == -1.0) {
        return one / x;
    }
    if (exponent == 0.5) {
        return Halide::sqrt(x);
    }
    if (exponent == -0.5) {
        return one / Halide::sqrt(x);
    }
    return {};
}

Expr power_of_operands(const OperatorContext &context, const std::vector<Expr> &operands) {
    const Expr &x = operands.at(0);
    const Expr &y = operands.at(1);
    if (x.type().is_float()) {
        if (const std::optional<double> exponent = known_exponent(context)) {
            Expr simple = simple_power(x, *exponent);
            if (simple.defined()) {
                return simple;
            }
            const auto narrow = static_cast<float>(*exponent);
            if (x.type() == Halide::Float(32) && static_cast<double>(narrow) == *exponent) {
                return power(x, Expr(narrow));
            }
        }
    }
    if (x.type() == Halide::Float(32) && y.type() == Halide::Float(32)) {
        return power(x, y);
    }
    return convert(call_libm("pow", {Halide::cast<double>(x), Halide::cast<double>(y)}), x.type());
}

}  // namespace

const Operator &onnx_pow() {
    static const Operator op = elementwise_operator({
        .type = "Pow",
        .check_operands = check_operands,
        .function = power_of_operands,
        .result_type = {},
    });
    return op;
}

}  // namespace emulsion
