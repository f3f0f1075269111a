// ReverseSequence: of each entry along batch_axis, the first sequence_lens[entry] elements along
// time_axis in reverse order, the others as they are.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kLengths = 1;

size_t axis_of(const OperatorContext &context, const char *name, int64_t otherwise) {
    return static_cast<size_t>(normalize_axis(context, context.node().integer(name, otherwise),
                                              context.input(0).rank(),
                                              fmt::format("attribute {}", name)));
}

size_t batch_axis(const OperatorContext &context) { return axis_of(context, "batch_axis", 1); }
size_t time_axis(const OperatorContext &context) { return axis_of(context, "time_axis", 0); }

void check_reverse_sequence(const OperatorContext &context) {
    require_type(context, kLengths, {DataType::I64});
    const std::vector<int64_t> x = context.input_shape(0);
    const size_t batch = batch_axis(context);
    if (batch == time_axis(context)) {
        refuse(context, fmt::format("attributes batch_axis and time_axis are both {}", batch));
    }
    require_shape(context, kLengths, {x[batch]}, "there is one length per entry of the batch");
    require_output(context, x);
}

Func build_reverse_sequence(OperatorContext &context) {
    const Access x = context.operand(0);
    const Access lengths = context.operand(kLengths);
    const size_t time = time_axis(context);
    const auto last = static_cast<int>(context.input_shape(0)[time]) - 1;
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const Expr at_time = v[time];
    const Expr limit = Halide::Internal::make_const(Halide::Int(64), int64_t{last} + 1);
    const Expr zero = Halide::Internal::make_zero(Halide::Int(64));
    const Expr length =
        Halide::cast<int>(Halide::clamp(lengths({v[batch_axis(context)]}), zero, limit));
    std::vector<Expr> at = to_exprs(v);
    at[time] =
        Halide::clamp(Halide::select(at_time < length, length - 1 - at_time, at_time), 0, last);
    Func reversed = context.func("");
    reversed(v) = x(at);
    return reversed;
}

}  // namespace

const Operator &onnx_reverse_sequence() {
    static const Operator reverse_sequence = {
        .type = "ReverseSequence",
        .check = check_reverse_sequence,
        .implementations = {{.name = "direct", .build = build_reverse_sequence}},
    };
    return reverse_sequence;
}

}  // namespace emulsion
