// Element types of tensors: the ones ONNX and Halide both have.
#pragma once

#include <cstdint>
#include <string_view>

namespace emulsion {

enum class DataType { F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool };

// Bytes of one element (a bool is one byte).
int size_of(DataType type);
// Short name as it appears in headers and JSON: "f32", "i64", "bool".
std::string_view to_string(DataType type);
// The inverse of to_string; throws Error for an unknown name.
DataType data_type_from_string(std::string_view name);
bool is_float(DataType type);

}  // namespace emulsion
