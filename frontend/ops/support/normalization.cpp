#include "frontend/ops/support/normalization.h"

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

// Numbers of TensorProto.DataType.
constexpr int64_t kFloat = 1;
constexpr int64_t kDouble = 11;

Expr divided_by_count(const Expr &sum, const std::vector<int64_t> &extents) {
    double count = 1.0;
    for (const int64_t extent : extents) {
        count *= static_cast<double>(extent);
    }
    return sum * Halide::Internal::make_const(sum.type(), 1.0 / count);
}

}  // namespace

Moments moments(OperatorContext &context, const std::vector<Halide::Var> &kept,
                const std::vector<int64_t> &extents, const SetElement &element) {
    const Expr center = mean(context, kept, extents, element);
    const Expr deviation = element(row_major_reduction(extents)) - center;
    Func squares = sum_over(context, "squares", kept, deviation * deviation);
    return {.mean = center, .variance = divided_by_count(squares(kept), extents)};
}

Expr mean(OperatorContext &context, const std::vector<Halide::Var> &kept,
          const std::vector<int64_t> &extents, const SetElement &element) {
    Func sum = sum_over(context, "sum", kept, element(row_major_reduction(extents)));
    return divided_by_count(sum(kept), extents);
}

Expr mean_square(OperatorContext &context, const std::vector<Halide::Var> &kept,
                 const std::vector<int64_t> &extents, const SetElement &element) {
    const Expr x = element(row_major_reduction(extents));
    Func squares = sum_over(context, "squares", kept, x * x);
    return divided_by_count(squares(kept), extents);
}

Expr inverse_deviation(const Expr &variance, double epsilon) {
    const Halide::Type type = variance.type();
    return Halide::Internal::make_one(type) /
           Halide::sqrt(variance + Halide::Internal::make_const(type, epsilon));
}

ReducedAxes trailing_axes(const OperatorContext &context) {
    const int rank = context.input(0).rank();
    const int axis =
        normalize_axis(context, context.node().integer("axis", -1), rank, "attribute axis");
    return {context.input_shape(0), axes_from(axis, rank)};
}

void require_broadcastable(const OperatorContext &context, int index) {
    if (context.has_input(index) &&
        !can_broadcast(context.input_shape(index), context.input_shape(0))) {
        refuse(context,
               fmt::format("{} has shape {}, which can't be broadcast to {}",
                           describe_input(context, index), to_string(context.input_shape(index)),
                           to_string(context.input_shape(0))));
    }
}

Expr broadcast_operand(OperatorContext &context, int index, const std::vector<Expr> &at) {
    return context.operand(index)(
        broadcast(at, context.input_shape(index), context.input_shape(0)));
}

void require_stash_type(const OperatorContext &context) {
    const int64_t type = context.node().integer("stash_type", kFloat);
    if (type != kFloat && type != kDouble) {
        refuse(context,
               fmt::format("attribute stash_type is {}; 1 (f32) and 11 (f64) are accepted", type));
    }
}

Halide::Type stash_type(const OperatorContext &context) {
    const int64_t type = context.node().integer("stash_type", kFloat);
    return type == kDouble ? Halide::Float(64) : halide_type(context.input(0).type);
}

}  // namespace emulsion
