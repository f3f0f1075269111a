// Mod: C = A - B q, where q is A / B rounded down, or with fmod = 1 towards zero. Of integers it is 0
// where B is 0.
#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/integer_arithmetic.h"
#include "frontend/ops/support/real_functions.h"

namespace emulsion {

using Halide::Expr;

namespace {

Expr mod(const OperatorContext &context, const Expr &a, const Expr &b) {
    const bool truncated = context.node().integer("fmod", 0) != 0;
    if (!a.type().is_float()) {
        return truncated ? remainder_of_truncation(a, b) : remainder_of_floor(a, b);
    }
    // Exact in both types, and known by that name everywhere.
    Expr remainder = Halide::cast(
        a.type(), call_libm("fmod", {Halide::cast<double>(a), Halide::cast<double>(b)}));
    if (truncated) {
        return remainder;
    }
    // It has the sign of A, or is 0 or NaN; with the other sign the quotient is one less.
    const Expr zero = Halide::Internal::make_zero(a.type());
    const Expr other_sign = less(remainder, zero) != less(b, zero);
    return choose(other_sign && !equal(remainder, zero), remainder + b, remainder);
}

}  // namespace

const Operator &onnx_mod() {
    static const Operator op = binary_operator_of_node("Mod", kNumericTypes, mod);
    return op;
}

}  // namespace emulsion
