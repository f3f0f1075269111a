#include "frontend/ops/support/convert.h"

#include <array>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;

namespace {

Expr is_not_zero(const Expr &x) {
    if (!x.type().is_float()) {
        return x != Halide::Internal::make_zero(x.type());
    }
    // A NaN is not zero, -0 is: look at all bits but the sign.
    const Halide::Type bits = Halide::UInt(x.type().bits());
    return (Halide::reinterpret(bits, x) << 1) != Halide::Internal::make_zero(bits);
}

// `x` rounded towards zero, as a signed integer. Halide's simplifier takes a cast of a cast between
// integers of one size, or to a smaller one, for a single cast, even if the inner one's operand is real: then
// negative numbers are converted to an unsigned type, which has no such numbers. Arithmetic that wraps around
// is such casts. So the outermost operation here is no cast. A negated magnitude has room for the lowest
// integer.
Expr truncate(const Expr &x, const Halide::Type &to) {
    const Expr magnitude = Halide::cast(to, -Halide::abs(x));
    return Halide::select(x < Halide::Internal::make_zero(x.type()), magnitude, -magnitude);
}

// The same as u64: numbers that are greater than every i64 have to be converted as they are.
Expr truncate_to_u64(const Expr &x) {
    constexpr double kTooGreat = 9223372036854775808.0;  // 2^63
    return Halide::select(x < Halide::Internal::make_const(x.type(), kTooGreat),
                          Halide::cast<uint64_t>(truncate(x, Halide::Int(64))),
                          Halide::cast<uint64_t>(x));
}

}  // namespace

Expr convert(const Expr &x, const Halide::Type &to) {
    if (to.is_bool()) {
        return x.type().is_bool() ? x : is_not_zero(x);
    }
    if (x.type().is_float() && !to.is_float()) {
        if (to == Halide::UInt(64)) {
            return truncate_to_u64(x);
        }
        // By way of a signed integer, negative numbers wrap around like integers.
        const bool wide = to.bits() == 64 || to == Halide::UInt(32);
        return Halide::cast(to, truncate(x, Halide::Int(wide ? 64 : 32)));
    }
    return Halide::cast(to, x);
}

DataType target_type(const OperatorContext &context) {
    const int64_t to = context.node().integer("to", 0);
    for (const DataTypeTraits &traits : all_data_types()) {
        if (traits.onnx == to) {
            return traits.type;
        }
    }
    refuse(context, fmt::format("attribute to is {}, a type that is not supported; accepted: f32, "
                                "f64, i8 to i64, u8 to u64, bool",
                                to));
}

}  // namespace emulsion
