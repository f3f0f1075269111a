// What operators check before they build Funcs, so that untrusted models end in a sentence that
// names the attribute, rank, shape or type, and never in an assert of Halide's.
//
// See operator.h for require_type, require_rank and the readers of compile-time operands.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// Lists for require_type.
inline constexpr std::initializer_list<DataType> kFloatTypes = {DataType::F32, DataType::F64};
// What ONNX allows for products of matrices.
inline constexpr std::initializer_list<DataType> kMatrixTypes = {
    DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64};
inline constexpr std::initializer_list<DataType> kNumericTypes = {
    DataType::F32, DataType::F64, DataType::I8,  DataType::I16, DataType::I32,
    DataType::I64, DataType::U8,  DataType::U16, DataType::U32, DataType::U64};

// Throws Error with `message` at the node's place.
[[noreturn]] void refuse(const OperatorContext &context, const std::string &message);

inline constexpr std::initializer_list<DataType> kIntegerTypes = {
    DataType::I8, DataType::I16, DataType::I32, DataType::I64,
    DataType::U8, DataType::U16, DataType::U32, DataType::U64};
inline constexpr std::initializer_list<DataType> kUnsignedTypes = {DataType::U8, DataType::U16,
                                                                   DataType::U32, DataType::U64};
// Numbers that have a sign.
inline constexpr std::initializer_list<DataType> kSignedTypes = {
    DataType::F32, DataType::F64, DataType::I8, DataType::I16, DataType::I32, DataType::I64};
inline constexpr std::initializer_list<DataType> kAllTypes = {
    DataType::F32, DataType::F64, DataType::I8,  DataType::I16, DataType::I32, DataType::I64,
    DataType::U8,  DataType::U16, DataType::U32, DataType::U64, DataType::Bool};

// "[1, 3, 224, 224]"
std::string to_string(const std::vector<int64_t> &values);
// "operand 1 ('weights')"
std::string describe_input(const OperatorContext &context, int index);

// Like require_type in operator.h, for lists that are made at run time.
void require_type(const OperatorContext &context, int index, const std::vector<DataType> &accepted);
// Throws Error unless those of the operands `indices` that are present have the type of operand 0.
void require_type_of_first(const OperatorContext &context, std::initializer_list<int> indices);
// Throws Error unless operand `index` has shape `expected`; `why` ends the sentence.
void require_shape(const OperatorContext &context, int index, const std::vector<int64_t> &expected,
                   const std::string &why);
// Throws Error unless the result has shape `expected` and `type`, and every extent of it and of the
// operands that Funcs read is in 1 .. 2^31-1. Every operator calls it or require_output: Funcs trust
// shapes, and a model may declare any.
void require_result(const OperatorContext &context, const std::vector<int64_t> &expected,
                    DataType type);
// require_result with the type of operand 0.
void require_output(const OperatorContext &context, const std::vector<int64_t> &expected);
// Throws Error when result `index`, called `name` by ONNX, is asked for.
void require_unused_output(const OperatorContext &context, int index, std::string_view name);

// Product of `shape`. Throws Error when it does not fit 63 bits.
int64_t count_elements(const OperatorContext &context, const std::vector<int64_t> &shape);

// Whether numpy's rules allow a tensor of shape `from` to be broadcast to shape `to`.
bool can_broadcast(const std::vector<int64_t> &from, const std::vector<int64_t> &to);
// Shape of the result of broadcasting operands of shapes `a` and `b` to each other (numpy's rules).
// Throws Error when they don't fit.
std::vector<int64_t> broadcast_shape(const OperatorContext &context, const std::vector<int64_t> &a,
                                     const std::vector<int64_t> &b);

}  // namespace emulsion
