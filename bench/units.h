// Units that figures are shown in.
#pragma once

#include <cstdint>

namespace emulsion {

// Decimal megabytes.
constexpr double megabytes(int64_t bytes) { return static_cast<double>(bytes) * 1e-6; }

}  // namespace emulsion
