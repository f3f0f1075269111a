// What a model believes of a task, to look at.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tuner/grid_points.h"
#include "tuner/model.h"

namespace emulsion {

// Predictions over the values of two parameters, where all others are as in one point.
struct Belief {
    std::string across, down;                         // parameters
    std::vector<int64_t> across_values, down_values;  // Grid::kAbsent where a nest may lack it
    // As many for every value of `down`, one after the other, as `across` has values; none of what is no valid point.
    std::vector<std::optional<Prediction>> predictions;
};

// What a model says of valid points; nothing where it knows nothing.
using Believe = std::function<std::vector<Prediction>(const std::vector<GridPoint> &points)>;

// Of the two parameters along which predictions differ most. Nothing where less than two have several values, and where the model says nothing.
std::optional<Belief> belief_around(const GridPoints &points, const GridPoint &around,
                                    const Believe &believe);

}  // namespace emulsion
