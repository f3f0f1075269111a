#include "tuner/belief.h"

#include <algorithm>
#include <utility>

namespace emulsion {

namespace {

GridPoint with(GridPoint point, size_t parameter, size_t at) {
    point[parameter] = static_cast<uint16_t>(at);
    return point;
}

// How far predictions are apart that differ in this parameter.
double range_along(const GridPoints &points, const GridPoint &around, size_t parameter,
                   const Believe &believe) {
    std::vector<GridPoint> line;
    for (size_t at = 0; at < points.values(parameter); at++) {
        GridPoint point = with(around, parameter, at);
        if (points.is_valid(point)) {
            line.push_back(std::move(point));
        }
    }
    const std::vector<Prediction> predictions =
        line.size() > 1 ? believe(line) : std::vector<Prediction>();
    if (predictions.empty()) {
        return -1.0;
    }
    const auto [least, most] = std::minmax_element(
        predictions.begin(), predictions.end(),
        [](const Prediction &a, const Prediction &b) { return a.mean < b.mean; });
    return most->mean - least->mean;
}

}  // namespace

std::optional<Belief> belief_around(const GridPoints &points, const GridPoint &around,
                                    const Believe &believe) {
    std::vector<std::pair<double, size_t>> ranges;  // the widest first; of equal ones the first
    for (size_t p = 0; p < points.parameters(); p++) {
        if (const double range = range_along(points, around, p, believe); range >= 0.0) {
            ranges.emplace_back(-range, p);
        }
    }
    if (ranges.size() < 2) {
        return std::nullopt;
    }
    std::sort(ranges.begin(), ranges.end());
    const size_t across = ranges[0].second, down = ranges[1].second;
    const auto &parameters = points.task().space.parameters;
    Belief belief{parameters[across].name,
                  parameters[down].name,
                  points.tried(across),
                  points.tried(down),
                  {}};
    std::vector<GridPoint> valid;
    std::vector<size_t> position;
    for (size_t y = 0; y < points.values(down); y++) {
        for (size_t x = 0; x < points.values(across); x++) {
            GridPoint point = with(with(around, down, y), across, x);
            if (points.is_valid(point)) {
                valid.push_back(std::move(point));
                position.push_back(belief.predictions.size());
            }
            belief.predictions.emplace_back();
        }
    }
    const std::vector<Prediction> predictions = believe(valid);
    for (size_t i = 0; i < predictions.size(); i++) {
        belief.predictions[position[i]] = predictions[i];
    }
    return belief;
}

}  // namespace emulsion
