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
    return with_element_type(type, [&](auto zero) { return bits<decltype(zero)>(value); });
}

}  // namespace emulsion
