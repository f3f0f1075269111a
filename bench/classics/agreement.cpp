#include "bench/classics/agreement.h"

#include <cmath>

#include <fmt/format.h>

namespace emulsion::classics {

namespace {

constexpr double kAbsolute = 1e-4, kRelative = 1e-3, kShare = 1e-3;

template<typename T>
int64_t count_wrong(const Halide::Runtime::Buffer<> &value,
                    const Halide::Runtime::Buffer<> &reference) {
    const auto *a = static_cast<const T *>(value.data());
    const auto *b = static_cast<const T *>(reference.data());
    const auto count = static_cast<size_t>(value.number_of_elements());
    int64_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const auto is = static_cast<double>(a[i]), should = static_cast<double>(b[i]);
        const double bound = std::is_integral_v<T> ? 1.0 : kAbsolute + kRelative * std::abs(should);
        wrong += is == should || std::abs(is - should) <= bound ? 0 : 1;  // a NaN is wrong
    }
    return wrong;
}

}  // namespace

std::string disagreement(const Halide::Runtime::Buffer<> &value,
                         const Halide::Runtime::Buffer<> &reference) {
    const halide_type_t type = value.type();
    int64_t wrong = 0;
    if (type == halide_type_of<float>()) {
        wrong = count_wrong<float>(value, reference);
    } else if (type == halide_type_of<uint8_t>()) {
        wrong = count_wrong<uint8_t>(value, reference);
    } else if (type == halide_type_of<uint16_t>()) {
        wrong = count_wrong<uint16_t>(value, reference);
    } else {
        return "its type can't be compared";
    }
    const auto count = static_cast<int64_t>(value.number_of_elements());
    if (static_cast<double>(wrong) <= kShare * static_cast<double>(count)) {
        return "";
    }
    return fmt::format("{} of {} elements are wrong", wrong, count);
}

}  // namespace emulsion::classics
