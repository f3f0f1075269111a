// What a whole number may be: the arithmetic of intervals, with the division and the remainder of Halide.
#pragma once

#include <Halide.h>

#include <cstdint>

namespace emulsion::test {

// From lo to hi, both included. Those beyond kFarthest stand for anything farther.
struct IndexRange {
    int64_t lo = 0, hi = 0;
};

bool is_integer(const Halide::Type &type);
// All numbers of a type; of floating-point types whatever.
IndexRange range_of(const Halide::Type &type);

IndexRange operator+(const IndexRange &a, const IndexRange &b);
IndexRange operator-(const IndexRange &a, const IndexRange &b);
IndexRange operator*(const IndexRange &a, const IndexRange &b);
IndexRange quotient(const IndexRange &a, const IndexRange &b);
IndexRange remainder(const IndexRange &a, const IndexRange &b);
IndexRange least(const IndexRange &a, const IndexRange &b);
IndexRange most(const IndexRange &a, const IndexRange &b);
IndexRange magnitude(const IndexRange &a);
IndexRange either(const IndexRange &a, const IndexRange &b);

// Truths are 0 and 1.
IndexRange less(const IndexRange &a, const IndexRange &b);
IndexRange not_less(const IndexRange &a, const IndexRange &b);
IndexRange same(const IndexRange &a, const IndexRange &b);
IndexRange negation(const IndexRange &truth);

}  // namespace emulsion::test
