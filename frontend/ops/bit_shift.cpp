// BitShift: C = A << B or A >> B; 0 where B is the number of bits or more.
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
    const Expr most = Halide::Internal::make_const(b.type(), a.type().bits() - 1);
    const Expr distance = Halide::min(b, most);
    const Expr shifted = direction == "LEFT" ? a << distance : a >> distance;
    return Halide::select(b > most, Halide::Internal::make_zero(a.type()), shifted);
}

}  // namespace

const Operator &onnx_bit_shift() {
    static const Operator op = binary_operator_of_node("BitShift", kUnsignedTypes, bit_shift);
    return op;
}

}  // namespace emulsion
