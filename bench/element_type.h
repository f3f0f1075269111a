// From the element type of an array to a C++ type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bench/npy.h"

namespace emulsion {

// Calls use(T()) for the type T of the elements; a bool is a uint8_t.
template<typename Use>
void with_element_type(DataType type, Use use) {
    switch (type) {
    case DataType::F32: return use(float());
    case DataType::F64: return use(double());
    case DataType::I8: return use(int8_t());
    case DataType::I16: return use(int16_t());
    case DataType::I32: return use(int32_t());
    case DataType::I64: return use(int64_t());
    case DataType::U8:
    case DataType::Bool: return use(uint8_t());
    case DataType::U16: return use(uint16_t());
    case DataType::U32: return use(uint32_t());
    case DataType::U64: return use(uint64_t());
    }
}

template<typename T>
T element(const Array &array, size_t index) {
    T value;
    std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

}  // namespace emulsion
