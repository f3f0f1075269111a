// Points of a task's grid as positions of values: what searches that look at thousands of points work on.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "tuner/grid.h"

namespace emulsion {

// By parameter: the position of its value in Grid::values().
using GridPoint = std::vector<uint16_t>;

class GridPoints {
public:
    // Of a task that outlives it.
    explicit GridPoints(const TuningTask &task);

    const TuningTask &task() const { return grid_.task(); }
    size_t parameters() const { return grid_.values().size(); }
    size_t values(size_t parameter) const { return grid_.values()[parameter].size(); }
    const std::vector<int64_t> &tried(size_t parameter) const { return grid_.values()[parameter]; }
    int64_t value(const GridPoint &point, size_t parameter) const {
        return grid_.values()[parameter][point[parameter]];
    }

    // As NestSpace::is_valid says it of the nest.
    bool is_valid(const GridPoint &point) const;
    Nest nest(const GridPoint &point) const;
    // None where the nest has a value that the grid lacks.
    std::optional<GridPoint> point(const Nest &nest) const;

private:
    // A constraint, with positions of parameters for their names.
    struct Constraint {
        const NestConstraint *rule = nullptr;
        std::vector<size_t> parameters;
        std::optional<size_t> where;
    };
    bool holds(const Constraint &constraint, const GridPoint &point) const;

    const Grid grid_;
    std::vector<Constraint> constraints_;
};

}  // namespace emulsion
