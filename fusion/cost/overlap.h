// The time of two things that a machine does at a time.
#pragma once

#include <algorithm>

namespace emulsion {

// The lesser one hides behind the other but for this share: they use the same queues.
constexpr double kVisibleShare = 0.15;

inline double overlapped(double a, double b) {
    return std::max(a, b) + kVisibleShare * std::min(a, b);
}

}  // namespace emulsion
