// How much every launch of a network moves and computes: for explanations and profiles.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/lower/network.h"

namespace emulsion {

struct LaunchWork {
    // Bytes of the tensors that the launch reads (constants included) and of the one that it writes,
    // each counted once and whole, halos and rounding not included.
    int64_t bytes_read = 0;
    int64_t bytes_written = 0;
    // Of sums of products of two tensors (convolutions, matrix products); 0 where there are none.
    // The operators' own: what a fused consumer computes again is not counted.
    double multiply_adds = 0.0;
};

// One per launch, in order.
std::vector<LaunchWork> launch_work(const PlannedNetwork &network);

}  // namespace emulsion
