// Element types of tensors: the ones ONNX and Halide both have. All that is to be known of a type is its line in the
// table; everything else is derived from it.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "fusion/element_type.h"

namespace emulsion {

// X(type, C++ type of a value, kind, bits, name, number in ONNX (TensorProto.DataType), name in NumPy). C headers number
// them in this order: new ones go to the end.
// clang-format off
#define EMULSION_DATA_TYPES(X)                        \
    X(F32,  float,    Float, 32, "f32",  1,  "<f4")   \
    X(F64,  double,   Float, 64, "f64",  11, "<f8")   \
    X(I8,   int8_t,   Int,   8,  "i8",   3,  "|i1")   \
    X(I16,  int16_t,  Int,   16, "i16",  5,  "<i2")   \
    X(I32,  int32_t,  Int,   32, "i32",  6,  "<i4")   \
    X(I64,  int64_t,  Int,   64, "i64",  7,  "<i8")   \
    X(U8,   uint8_t,  UInt,  8,  "u8",   2,  "|u1")   \
    X(U16,  uint16_t, UInt,  16, "u16",  4,  "<u2")   \
    X(U32,  uint32_t, UInt,  32, "u32",  12, "<u4")   \
    X(U64,  uint64_t, UInt,  64, "u64",  13, "<u8")   \
    X(Bool, bool,     UInt,  1,  "bool", 9,  "|b1")
// clang-format on

enum class DataType {
#define EMULSION_ENUMERATOR(type, ...) type,
    EMULSION_DATA_TYPES(EMULSION_ENUMERATOR)
#undef EMULSION_ENUMERATOR
};

struct DataTypeTraits {
    DataType type;
    ElementType element;
    std::string_view name;   // in headers and JSON: "f32", "i64", "bool"
    int onnx;                // number in ONNX
    std::string_view numpy;  // "<f4": with the order of this machine's bytes, | where there is one
};

// In the order of DataType.
std::span<const DataTypeTraits> all_data_types();
const DataTypeTraits &traits_of(DataType type);

// Bytes of one element (a bool is one byte).
int size_of(DataType type);
std::string_view to_string(DataType type);
// The inverse of to_string; throws Error for an unknown name.
DataType data_type_from_string(std::string_view name);
bool is_float(DataType type);
// Behind a library's prefix, what its C header calls the type: "F32", "BOOL".
std::string c_enumerator(DataType type);

// use(T()) with the C++ type T of a value.
template<typename Use>
auto with_value_type(DataType type, Use use) {
    switch (type) {
#define EMULSION_CASE(type, value, ...) \
    case DataType::type: return use(value());
        EMULSION_DATA_TYPES(EMULSION_CASE)
#undef EMULSION_CASE
    }
    assert(false);
    return use(float());
}

// The same with the type of an element in memory: of a bool it is uint8_t.
template<typename Use>
auto with_element_type(DataType type, Use use) {
    return with_value_type(type, [&](auto zero) {
        constexpr bool is_bool = std::is_same_v<decltype(zero), bool>;
        return use(std::conditional_t<is_bool, uint8_t, decltype(zero)>());
    });
}

}  // namespace emulsion
