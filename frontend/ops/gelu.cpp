// Gelu: Y = X/2 (1 + erf(X / sqrt 2)), or with approximate = "tanh"
//       Y = X/2 (1 + tanh(u)) = X sigmoid(2 u) with u = sqrt(2 / pi) (X + 0.044715 X^3).
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

namespace {

Expr gelu(const OperatorContext &context, const Expr &x) {
    const auto number = [&](double value) { return Halide::Internal::make_const(x.type(), value); };
    const std::string approximate = context.node().text("approximate", "none");
    if (approximate == "none") {
        const Expr half = x * number(0.5);
        return half * (error_function(x * number(1.0 / std::numbers::sqrt2)) + number(1.0));
    }
    if (approximate != "tanh") {
        refuse(context, fmt::format("attribute approximate is '{}'; 'none' and 'tanh' are known",
                                    approximate));
    }
    const double factor = 2.0 * std::sqrt(2.0 / std::numbers::pi);
    return x * sigmoid(x * (x * x * number(0.044715 * factor) + number(factor)));
}

}  // namespace

const Operator &onnx_gelu() {
    static const Operator op = unary_operator_of_node("Gelu", kFloatTypes, gelu);
    return op;
}

}  // namespace emulsion
