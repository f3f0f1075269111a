// Numbers of code, as models have them.
#pragma once

#include <cmath>

namespace emulsion {

// Its base-2 logarithm, with its sign: counts and bytes range over many orders of magnitude, and 0 is common.
inline float magnitude(double value) {
    return static_cast<float>(std::copysign(std::log2(std::fabs(value) + 1.0), value));
}

}  // namespace emulsion
