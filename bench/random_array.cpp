#include "bench/random_array.h"

#include <cstring>
#include <type_traits>

#include "frontend/zoo/random.h"

namespace emulsion {

namespace {

template<typename T>
void fill(Array &array, PortableRandom &random) {
    const size_t count = array.bytes.size() / sizeof(T);
    for (size_t i = 0; i < count; i++) {
        T value{};
        if constexpr (std::is_floating_point_v<T>) {
            value = random.normal();
        } else if constexpr (std::is_same_v<T, bool>) {
            value = (random.next() >> 63) != 0;
        } else {
            value = static_cast<T>(random.next() % 10);
        }
        std::memcpy(array.bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
}

}  // namespace

Array random_array(DataType type, std::span<const int64_t> shape, uint64_t seed,
                   std::string_view name) {
    Array array{type, {shape.begin(), shape.end()}, {}};
    array.bytes.resize(static_cast<size_t>(checked_bytes(shape, size_of(type))));
    PortableRandom random(seed, name);
    switch (type) {
    case DataType::F32: fill<float>(array, random); break;
    case DataType::F64: fill<double>(array, random); break;
    case DataType::I8: fill<int8_t>(array, random); break;
    case DataType::I16: fill<int16_t>(array, random); break;
    case DataType::I32: fill<int32_t>(array, random); break;
    case DataType::I64: fill<int64_t>(array, random); break;
    case DataType::U8: fill<uint8_t>(array, random); break;
    case DataType::U16: fill<uint16_t>(array, random); break;
    case DataType::U32: fill<uint32_t>(array, random); break;
    case DataType::U64: fill<uint64_t>(array, random); break;
    case DataType::Bool: fill<bool>(array, random); break;
    }
    return array;
}

}  // namespace emulsion
