// Range: start, start + delta, start + 2 delta, ... before limit. All three are compile-time operands.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/constants.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kStart = 0;
constexpr int kLimit = 1;
constexpr int kDelta = 2;

// Number of elements; what does not fit 63 bits is cut off there.
int64_t element_count_of(const OperatorContext &context) {
    constexpr double kLargest = 4611686018427387904.0;  // 2^62
    if (is_float(context.input(kStart).type)) {
        const double start = constant_reals(context, kStart)[0];
        const double limit = constant_reals(context, kLimit)[0];
        const double delta = constant_reals(context, kDelta)[0];
        const double count = std::ceil((limit - start) / delta);
        return static_cast<int64_t>(count > 0.0 ? std::min(count, kLargest) : 0.0);
    }
    const int64_t start = constant_integers(context, kStart)[0];
    const int64_t limit = constant_integers(context, kLimit)[0];
    const int64_t delta = constant_integers(context, kDelta)[0];
    if (delta > 0 ? start >= limit : start <= limit) {
        return 0;
    }
    // Unsigned: the distance of two signed numbers always fits.
    const auto distance = delta > 0 ? static_cast<uint64_t>(limit) - static_cast<uint64_t>(start)
                                    : static_cast<uint64_t>(start) - static_cast<uint64_t>(limit);
    const uint64_t step =
        delta > 0 ? static_cast<uint64_t>(delta) : uint64_t{0} - static_cast<uint64_t>(delta);
    const uint64_t count = distance / step + (distance % step == 0 ? 0 : 1);
    return static_cast<int64_t>(std::min(count, static_cast<uint64_t>(kLargest)));
}

void check_range(const OperatorContext &context) {
    require_type(context, kStart,
                 {DataType::F32, DataType::F64, DataType::I16, DataType::I32, DataType::I64});
    for (const int index : {kStart, kLimit, kDelta}) {
        require_type(context, index, {context.input(kStart).type});
        constant_scalar(context, index);
    }
    if (constant_reals(context, kDelta)[0] == 0.0) {
        refuse(context, "operand delta is 0");
    }
    require_output(context, {element_count_of(context)});
}

Func build_range(OperatorContext &context) {
    const Halide::Type type = halide_type(context.input(kStart).type);
    const std::vector<Halide::Var> v = axes(1);
    Func range = context.func("");
    range(v) = constant_scalar(context, kStart) +
               Halide::cast(type, v[0]) * constant_scalar(context, kDelta);
    return range;
}

}  // namespace

const Operator &onnx_range() {
    static const Operator range = {
        .type = "Range",
        .check = check_range,
        .implementations = {{.name = "direct", .build = build_range}},
        .compile_time_input = [](int) { return true; },
    };
    return range;
}

}  // namespace emulsion
