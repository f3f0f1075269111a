// Elements of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bench/npy.h"

namespace emulsion {

template<typename T>
T element(const Array &array, size_t index) {
    T value;
    std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

}  // namespace emulsion
