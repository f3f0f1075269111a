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

}  // namespace

Expr convert(const Expr &x, const Halide::Type &to) {
    if (to.is_bool()) {
        return x.type().is_bool() ? x : is_not_zero(x);
    }
    if (x.type().is_float() && !to.is_float() && to.bits() < 64) {
        // By way of a signed integer, negative numbers wrap around like integers.
        const Halide::Type between =
            to.is_uint() && to.bits() == 32 ? Halide::Int(64) : Halide::Int(32);
        return Halide::cast(to, Halide::cast(between, x));
    }
    return Halide::cast(to, x);
}

DataType target_type(const OperatorContext &context) {
    // By the numbers of TensorProto.DataType.
    static constexpr std::array<std::pair<int64_t, DataType>, 11> kTypes = {{
        {1, DataType::F32},
        {2, DataType::U8},
        {3, DataType::I8},
        {4, DataType::U16},
        {5, DataType::I16},
        {6, DataType::I32},
        {7, DataType::I64},
        {9, DataType::Bool},
        {11, DataType::F64},
        {12, DataType::U32},
        {13, DataType::U64},
    }};
    const int64_t to = context.node().integer("to", 0);
    for (const auto &[number, type] : kTypes) {
        if (number == to) {
            return type;
        }
    }
    refuse(context, fmt::format("attribute to is {}, a type that is not supported; accepted: f32, "
                                "f64, i8 to i64, u8 to u64, bool",
                                to));
}

}  // namespace emulsion
