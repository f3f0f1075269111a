#include "tests/lower/index_range.h"

#include <algorithm>

namespace emulsion::test {

namespace {

constexpr int64_t kFarthest = int64_t{1} << 31;  // products of two are in range

IndexRange kept(int64_t lo, int64_t hi) {
    return {std::clamp(lo, -kFarthest, kFarthest), std::clamp(hi, -kFarthest, kFarthest)};
}

// As Halide's: rounds so that remainders are never negative; by zero it is zero.
int64_t divided(int64_t a, int64_t b) {
    if (b == 0) {
        return 0;
    }
    const int64_t rest = a % b;
    return a / b - (rest < 0 ? (b > 0 ? 1 : -1) : 0);
}

}  // namespace

bool is_integer(const Halide::Type &type) { return type.is_int() || type.is_uint(); }

IndexRange range_of(const Halide::Type &type) {
    if (type.is_bool()) {
        return {0, 1};
    }
    if (is_integer(type) && type.bits() < 32) {
        const int64_t numbers = int64_t{1} << type.bits();
        return type.is_int() ? IndexRange{-numbers / 2, numbers / 2 - 1}
                             : IndexRange{0, numbers - 1};
    }
    return {type.is_uint() ? 0 : -kFarthest, kFarthest};
}

IndexRange operator+(const IndexRange &a, const IndexRange &b) {
    return kept(a.lo + b.lo, a.hi + b.hi);
}

IndexRange operator-(const IndexRange &a, const IndexRange &b) {
    return kept(a.lo - b.hi, a.hi - b.lo);
}

IndexRange operator*(const IndexRange &a, const IndexRange &b) {
    const auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
    return kept(lo, hi);
}

IndexRange quotient(const IndexRange &a, const IndexRange &b) {
    if (b.lo <= 0 && b.hi >= 0 && b.lo != b.hi) {
        const int64_t most = std::max(std::abs(a.lo), std::abs(a.hi));
        return {-most, most};
    }
    const auto [lo, hi] = std::minmax(
        {divided(a.lo, b.lo), divided(a.lo, b.hi), divided(a.hi, b.lo), divided(a.hi, b.hi)});
    return kept(lo, hi);
}

IndexRange remainder(const IndexRange &a, const IndexRange &b) {
    if (b.lo == b.hi && b.lo != 0 && divided(a.lo, b.lo) == divided(a.hi, b.lo)) {
        const int64_t whole = divided(a.lo, b.lo) * b.lo;
        return {a.lo - whole, a.hi - whole};
    }
    return {0, std::max({std::abs(b.lo), std::abs(b.hi), int64_t{1}}) - 1};
}

IndexRange least(const IndexRange &a, const IndexRange &b) {
    return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}

IndexRange most(const IndexRange &a, const IndexRange &b) {
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
}

IndexRange magnitude(const IndexRange &a) {
    const bool has_zero = a.lo <= 0 && a.hi >= 0;
    return {has_zero ? 0 : std::min(std::abs(a.lo), std::abs(a.hi)),
            std::max(std::abs(a.lo), std::abs(a.hi))};
}

IndexRange either(const IndexRange &a, const IndexRange &b) {
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

IndexRange less(const IndexRange &a, const IndexRange &b) {
    return {a.hi < b.lo ? 1 : 0, a.lo < b.hi ? 1 : 0};
}

IndexRange not_less(const IndexRange &a, const IndexRange &b) { return negation(less(a, b)); }

IndexRange same(const IndexRange &a, const IndexRange &b) {
    return {a.lo == a.hi && b.lo == b.hi && a.lo == b.lo ? 1 : 0,
            a.lo <= b.hi && b.lo <= a.hi ? 1 : 0};
}

IndexRange negation(const IndexRange &truth) { return {1 - truth.hi, 1 - truth.lo}; }

}  // namespace emulsion::test
