// BitShift: C = A << B or A >> B, which keeps the sign. Where B is negative or the number of bits or more,
// only copies of the sign remain: -1 of negative numbers to the right, else 0.
#include <fmt/format.h>

#include "frontend/ops/support/binary.h"

namespace emulsion {

using Halide::Expr;

namespace {

Expr bit_shift(const OperatorContext &context, const Expr &a, const Expr &b) {
    const std::string direction = context.node().text("direction", "");
    if (direction != "LEFT" && direction != "RIGHT") {
        refuse(context,
               fmt::format("attribute direction is '{}'; 'LEFT' and 'RIGHT' are known", direction));
    }
    const bool left = direction == "LEFT";
    const Halide::Type type = a.type();
    const Expr zero = Halide::Internal::make_zero(type);
    const Expr most = Halide::Internal::make_const(type, type.bits() - 1);
    const Halide::Type bits = type.with_code(Halide::Type::UInt);
    const Expr distance = Halide::cast(bits, Halide::clamp(b, zero, most));
    const Expr shifted =
        left ? Halide::cast(type, Halide::cast(bits, a) << distance) : a >> distance;
    const Expr rest = left || type.is_uint()
                          ? zero
                          : Halide::select(a < zero, Halide::Internal::make_const(type, -1), zero);
    return Halide::select(b < zero || b > most, rest, shifted);
}

}  // namespace

const Operator &onnx_bit_shift() {
    static const Operator op = binary_operator_of_node("BitShift", kIntegerTypes, bit_shift);
    return op;
}

}  // namespace emulsion
