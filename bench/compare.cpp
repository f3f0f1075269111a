#include "bench/compare.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "bench/element_type.h"

namespace emulsion {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
    with_element_type(a.type, [&](auto zero) { for_each_pair<decltype(zero)>(a, b, use); });
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
