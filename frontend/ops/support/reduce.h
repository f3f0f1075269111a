// The family of ReduceSum: one number for all elements of operand 0 along some axes. Also behind the
// global pools, which reduce everything but batch and channels.
#pragma once

#include <functional>
#include <string>

#include "frontend/ops/operator.h"

namespace emulsion {

// What distinguishes one of the family: finish(combine(... combine(initial, element(x0)), element(x1)
// ...)).
struct ReduceRule {
    using Map = std::function<Halide::Expr(const Halide::Expr &)>;

    std::initializer_list<DataType> types;
    // The type to reduce in, given the operand's; null: the same. Elements are converted to it, and
    // what `finish` gives is converted back.
    std::function<Halide::Type(Halide::Type)> accumulator;
    std::function<Halide::Expr(Halide::Type)> initial;
    Map element;  // null: x itself
    std::function<Halide::Expr(const Halide::Expr &, const Halide::Expr &)> combine;
    // Of the total, and how many elements it is of; null: the total.
    std::function<Halide::Expr(const Halide::Expr &, int64_t)> finish;
};

// What ONNX allows for all of the family.
inline constexpr std::initializer_list<DataType> kReduceTypes = {
    DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64};
// ... and for ReduceMax and ReduceMin.
inline constexpr std::initializer_list<DataType> kExtremeTypes = {
    DataType::F32, DataType::F64, DataType::I8,  DataType::I32, DataType::I64,
    DataType::U8,  DataType::U32, DataType::U64, DataType::Bool};

// The operator `type`. Its axes are operand 1, constant, or attribute `axes` as before opset 18; all
// of them if there are none, or, with noop_with_empty_axes, none: then only `element` and `finish`
// are computed.
Operator reduce_operator(const std::string &type, const ReduceRule &rule);
// The same with an implementation of its own, for what no rule can say.
Operator reduce_operator(const std::string &type, std::initializer_list<DataType> types,
                         const std::function<Halide::Func(OperatorContext &)> &build);
// The operator `type`, which reduces all axes behind the channels and keeps them with extent 1.
Operator global_pool_operator(const std::string &type,
                              const std::function<ReduceRule(const OperatorContext &)> &rule);

// The axes that a node of the family reduces. Throws Error naming what is wrong with them.
std::vector<int> reduced_axes(const OperatorContext &context);
// Whether they stay in the result (attribute keepdims).
bool keeps_axes(const OperatorContext &context);

// x in double precision if it is an integer: where a fraction may arise.
Halide::Type real_accumulator(Halide::Type type);
// |x| in the type of x.
Halide::Expr absolute(const Halide::Expr &x);

// Rules that more than one operator uses.
ReduceRule sum_rule();
ReduceRule mean_rule();
// Of bools, whether any is true.
ReduceRule max_rule();
// (sum of |x|^p)^(1/p)
ReduceRule norm_rule(int64_t p);

// Attribute p of a norm, 2 if it is absent. Throws Error unless it is in 1 .. 2^31-1.
int64_t norm_power(const OperatorContext &context);
// The p-norm's two functions: |x|^p and total^(1/p), for p >= 1.
Halide::Expr power_of(const Halide::Expr &x, int64_t p);
Halide::Expr root_of(const Halide::Expr &total, int64_t p);

}  // namespace emulsion
