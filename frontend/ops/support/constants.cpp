#include "frontend/ops/support/constants.h"

#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

namespace {

// The elements of constant operand `index`, each converted to `To`.
template<typename To>
std::vector<To> read_constant(const OperatorContext &context, int index) {
    const Tensor &tensor = context.input(index);
    if (!tensor.is_constant()) {
        refuse(context, fmt::format("{} is not constant; it must be known when the model is "
                                    "compiled",
                                    describe_input(context, index)));
    }
    const auto count = static_cast<size_t>(tensor.element_count());
    return with_element_type(tensor.type, [&](auto zero) {
        using From = decltype(zero);
        std::vector<To> values(count);
        for (size_t i = 0; i < count; i++) {
            // The bytes may be unaligned: they can lie inside a model's protobuf.
            From value;
            std::memcpy(&value, tensor.constant->bytes + i * sizeof(From), sizeof(From));
            // NOLINTNEXTLINE(bugprone-signed-char-misuse): these are numbers, not characters.
            values[i] = static_cast<To>(value);
        }
        return values;
    });
}

}  // namespace

std::vector<int64_t> constant_integers(const OperatorContext &context, int index) {
    if (is_float(context.input(index).type)) {
        refuse(context,
               fmt::format("{} has type {}; an integer type is needed",
                           describe_input(context, index), to_string(context.input(index).type)));
    }
    return read_constant<int64_t>(context, index);
}

std::vector<double> constant_reals(const OperatorContext &context, int index) {
    return read_constant<double>(context, index);
}

Halide::Expr constant_scalar(const OperatorContext &context, int index) {
    const Tensor &tensor = context.input(index);
    if (tensor.element_count() != 1) {
        refuse(context, fmt::format("{} has shape {}; a scalar is needed",
                                    describe_input(context, index), to_string(tensor.extents())));
    }
    const Halide::Type type = halide_type(tensor.type);
    if (type.is_float()) {
        return Halide::Internal::make_const(type, constant_reals(context, index)[0]);
    }
    const int64_t value = constant_integers(context, index)[0];
    return type.is_uint() ? Halide::Internal::make_const(type, static_cast<uint64_t>(value))
                          : Halide::Internal::make_const(type, value);
}

}  // namespace emulsion
