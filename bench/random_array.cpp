#include "bench/random_array.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "frontend/zoo/random.h"

namespace emulsion {

namespace {

constexpr int64_t kIntegers = 10;  // where nothing says how many

// The integers of type T to draw from.
template<typename T>
ValueBounds drawn_integers(const ValueBounds &bounds) {
    constexpr ValueBounds usual = {.low = 0, .high = kIntegers - 1};
    ValueBounds drawn = bounds;
    if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(int64_t)) {
        drawn.low = std::max<int64_t>(drawn.low, std::numeric_limits<T>::min());
        drawn.high = std::min<int64_t>(drawn.high, std::numeric_limits<T>::max());
    } else if constexpr (std::is_unsigned_v<T>) {
        drawn.low = std::max<int64_t>(drawn.low, 0);
    }
    if (drawn.empty() || bounds == ValueBounds()) {
        return usual;
    }
    if (bounds.has_low() && bounds.has_high()) {
        return drawn;
    }
    if (bounds.has_low()) {
        const int64_t low = std::max(drawn.low, usual.low);
        return {.low = low, .high = low + std::min(drawn.high - low, kIntegers - 1)};
    }
    const int64_t high = std::min(drawn.high, usual.high);
    return {.low = high < 0 ? std::max(drawn.low, high - kIntegers + 1) : usual.low, .high = high};
}

template<typename T>
void fill(Array &array, PortableRandom &random, const ValueBounds &bounds) {
    const size_t count = array.bytes.size() / sizeof(T);
    const ValueBounds drawn = drawn_integers<T>(bounds);
    const bool normal = std::is_floating_point_v<T> && !(bounds.has_low() && bounds.has_high());
    // 2^64 of them would be 0: every number is right.
    const uint64_t choices =
        static_cast<uint64_t>(drawn.high) - static_cast<uint64_t>(drawn.low) + 1;
    for (size_t i = 0; i < count; i++) {
        T value{};
        if constexpr (std::is_same_v<T, bool>) {
            value = (random.next() >> 63) != 0;
        } else if (normal) {
            value = static_cast<T>(random.normal());
        } else {
            const uint64_t number = random.next();
            value = static_cast<T>(static_cast<int64_t>(
                static_cast<uint64_t>(drawn.low) + (choices == 0 ? number : number % choices)));
        }
        std::memcpy(array.bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
}

}  // namespace

Array random_array(DataType type, std::span<const int64_t> shape, uint64_t seed,
                   std::string_view name, const ValueBounds &bounds) {
    Array array{type, {shape.begin(), shape.end()}, {}};
    array.bytes.resize(static_cast<size_t>(checked_bytes(shape, size_of(type))));
    PortableRandom random(seed, name);
    with_value_type(type, [&](auto zero) { fill<decltype(zero)>(array, random, bounds); });
    return array;
}

}  // namespace emulsion
