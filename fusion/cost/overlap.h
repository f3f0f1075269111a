// The time of two things that a machine does at a time.
#pragma once

#include <algorithm>

namespace emulsion {

// The lesser one hides behind the other but for a share: they use the same queues.
inline double overlapped(double a, double b) {
    constexpr double kVisibleShare = 0.15;
    return std::max(a, b) + kVisibleShare * std::min(a, b);
}

}  // namespace emulsion
