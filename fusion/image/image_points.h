// Other ways to compute an image graph than the one that is decided: what a cost model is held against, and what can be
// tried out where time is spent on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

struct ImagePoint {
    std::string label;  // for people: how it differs from what is decided
    ImageDecisions decisions;
    double cycles = 0.0;  // of all groups
};

struct PointDrawing {
    size_t points = 14;    // at most, the decided one among them
    double slowest = 8.0;  // cycles of a point over those of the decided one, at most
    uint64_t seed = 1;
};

// What decide_images() decides comes first; then others, no two alike: as much stored or inlined as can be; single
// stages elsewhere; groups with other tiles, rows kept or not; and random mixtures of these. Where there are more than
// are asked for, some of every kind are drawn. Equal arguments give equal points.
std::vector<ImagePoint> image_points(const ImageGraph &graph, const CpuMachine &machine,
                                     const PointDrawing &drawing = {});

}  // namespace emulsion
