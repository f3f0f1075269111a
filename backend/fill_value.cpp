#include "backend/fill_value.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace emulsion {

namespace {

template<typename T>
uint64_t bits(double value) {
    T converted;
    if (value <= static_cast<double>(std::numeric_limits<T>::lowest())) {
        converted = std::numeric_limits<T>::lowest();
    } else if (value >= static_cast<double>(std::numeric_limits<T>::max())) {
        converted = std::numeric_limits<T>::max();
    } else {
        converted = static_cast<T>(value);
    }
    uint64_t result = 0;
    std::memcpy(&result, &converted, sizeof converted);
    return result;
}

}  // namespace

uint64_t fill_bits(double value, DataType type) {
    switch (type) {
    case DataType::F32: return bits<float>(value);
    case DataType::F64: return bits<double>(value);
    case DataType::I8: return bits<int8_t>(value);
    case DataType::I16: return bits<int16_t>(value);
    case DataType::I32: return bits<int32_t>(value);
    case DataType::I64: return bits<int64_t>(value);
    case DataType::U8:
    case DataType::Bool: return bits<uint8_t>(value);
    case DataType::U16: return bits<uint16_t>(value);
    case DataType::U32: return bits<uint32_t>(value);
    case DataType::U64: return bits<uint64_t>(value);
    }
    return 0;
}

}  // namespace emulsion
