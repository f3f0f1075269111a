// How far from its own place a definition reads.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "fusion/image/image_graph.h"

namespace emulsion {

// How far from its own place along an axis a definition reads; unknown where it reads at other steps than one.
struct Offsets {
    int64_t least = 0, most = 0;
    bool known = true;
    // Somewhere it reads at a step of its own place, and somewhere at what is computed of that (clamped, say).
    bool has_steps = false, has_computed = false;
};

// Of all taps, per axis of what they read.
std::vector<Offsets> offsets_of(const std::set<Tap> &taps);

}  // namespace emulsion
