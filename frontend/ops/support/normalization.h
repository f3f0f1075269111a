// Normalisations: mean and variance of operand 0, and what LayerNormalization, InstanceNormalization and
// their like do with them.
#pragma once

#include <functional>
#include <vector>

#include "frontend/ops/operator.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

// An element of a set, given one reduction variable per extent of the set.
using SetElement = std::function<Halide::Expr(const std::vector<Halide::Expr> &)>;

struct Moments {
    Halide::Expr mean, variance;  // of the set, in terms of the variables `kept`
};

// Mean and variance of sets of `extents` (the last the innermost loop), one set for every value of
// `kept`. Two reductions, the second of (x - mean)^2: the difference of large sums would lose digits.
Moments moments(OperatorContext &context, const std::vector<Halide::Var> &kept,
                const std::vector<int64_t> &extents, const SetElement &element);
// The mean alone, and the mean of the squares, in one reduction.
Halide::Expr mean(OperatorContext &context, const std::vector<Halide::Var> &kept,
                  const std::vector<int64_t> &extents, const SetElement &element);
Halide::Expr mean_square(OperatorContext &context, const std::vector<Halide::Var> &kept,
                         const std::vector<int64_t> &extents, const SetElement &element);

// 1 / sqrt(variance + epsilon) in the type of `variance`.
Halide::Expr inverse_deviation(const Halide::Expr &variance, double epsilon);

// The axes from attribute `axis` (default: the last) on. Throws Error if there is no such axis.
ReducedAxes trailing_axes(const OperatorContext &context);

// Throws Error unless operand `index`, if present, can be broadcast to the shape of operand 0.
void require_broadcastable(const OperatorContext &context, int index);
// Its element for coordinates `at` of operand 0.
Halide::Expr broadcast_operand(OperatorContext &context, int index,
                               const std::vector<Halide::Expr> &at);

// Throws Error unless attribute stash_type, the ONNX type that sums are computed in, is f32 or f64.
void require_stash_type(const OperatorContext &context);
// That type; never less than the operand's.
Halide::Type stash_type(const OperatorContext &context);

}  // namespace emulsion
