// Lines of a first-level cache that drive each other out, as they lie a power of two apart.
#pragma once

#include <cstdint>
#include <numeric>

namespace emulsion {

// Addresses that are a multiple of these bytes apart share a set, which holds so many lines (4 KB and 8 on Zen; Intel's
// hold up to 12).
constexpr int64_t kSetBytes = 4096, kSetLines = 8;

// Into how many places of those bytes elements fall that are `apart` bytes apart, one after the other.
constexpr int64_t places_of(int64_t apart) { return kSetBytes / std::gcd(apart, kSetBytes); }

}  // namespace emulsion
