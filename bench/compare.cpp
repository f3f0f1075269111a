#include "bench/compare.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace emulsion {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template<typename T>
T element(const Array &array, size_t index) {
    T value;
    std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

// x86's long double holds every element type exactly.
template<typename T, typename Use>
void for_each_pair(const Array &a, const Array &b, Use use) {
    const size_t count = a.bytes.size() / sizeof(T);
    for (size_t i = 0; i < count; i++) {
        use(static_cast<int64_t>(i), static_cast<long double>(element<T>(a, i)),
            static_cast<long double>(element<T>(b, i)));
    }
}

// Calls use(index, a, b) for every element.
template<typename Use>
void for_each_pair(const Array &a, const Array &b, Use use) {
    assert(a.type == b.type && a.shape == b.shape && a.bytes.size() == b.bytes.size());
    switch (a.type) {
    case DataType::F32: return for_each_pair<float>(a, b, use);
    case DataType::F64: return for_each_pair<double>(a, b, use);
    case DataType::I8: return for_each_pair<int8_t>(a, b, use);
    case DataType::I16: return for_each_pair<int16_t>(a, b, use);
    case DataType::I32: return for_each_pair<int32_t>(a, b, use);
    case DataType::I64: return for_each_pair<int64_t>(a, b, use);
    case DataType::U8:
    case DataType::Bool: return for_each_pair<uint8_t>(a, b, use);
    case DataType::U16: return for_each_pair<uint16_t>(a, b, use);
    case DataType::U32: return for_each_pair<uint32_t>(a, b, use);
    case DataType::U64: return for_each_pair<uint64_t>(a, b, use);
    }
}

}  // namespace

bool Difference::merge(const Difference &other) {
    // A NaN is the worst of all errors and stays.
    if (!std::isnan(max_abs_error) && !(other.max_abs_error <= max_abs_error)) {
        max_abs_error = other.max_abs_error;
    }
    if (other.worst_ratio <= worst_ratio) {
        return false;
    }
    worst_ratio = other.worst_ratio;
    worst_element = other.worst_element;
    return true;
}

Difference compare(const Array &value, const Array &reference) {
    Difference worst;
    for_each_pair(value, reference, [&](int64_t index, long double got, long double wanted) {
        Difference here;
        here.worst_element = index;
        if (std::isnan(got) || std::isnan(wanted)) {
            here.max_abs_error = std::numeric_limits<double>::quiet_NaN();
            here.worst_ratio = kInfinity;
        } else if (got != wanted) {
            const auto error = static_cast<double>(std::fabs(got - wanted));
            const auto size = static_cast<double>(std::fabs(wanted));
            here.max_abs_error = error;
            here.worst_ratio = std::isinf(error) || std::isinf(size)
                                   ? kInfinity
                                   : error / (kAbsoluteBound + kRelativeBound * size);
        }
        worst.merge(here);
    });
    return worst;
}

double sensitivity(std::span<const std::vector<Array>> references) {
    double least = references.size() < 2 ? 0.0 : kInfinity;
    for (size_t first = 0; first < references.size(); first++) {
        for (size_t second = first + 1; second < references.size(); second++) {
            for (size_t output = 0; output < references[first].size(); output++) {
                double largest = 0.0;
                for_each_pair(
                    references[first][output], references[second][output],
                    [&](int64_t, long double a, long double b) {
                        const auto size = static_cast<double>(std::max(std::fabs(a), std::fabs(b)));
                        const auto difference = static_cast<double>(std::fabs(a - b));
                        if (std::isfinite(size)) {
                            largest = std::max(
                                largest, difference / (kAbsoluteBound + kRelativeBound * size));
                        }
                    });
                least = std::min(least, largest);
            }
        }
    }
    return std::isfinite(least) ? least : 0.0;
}

}  // namespace emulsion
