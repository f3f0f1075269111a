// What a session's model says of grid points of one task.
#pragma once

#include <map>
#include <vector>

#include "tuner/grid_points.h"
#include "tuner/learner.h"

namespace emulsion {

// Features of a point are computed once.
class PointScores {
public:
    // Of a task of the learner; all outlive this.
    PointScores(const GridPoints &points, Learner &learner, size_t task)
        : points_(points), learner_(learner), task_(task) {}

    // Nothing where the model knows nothing of the task yet.
    std::vector<Prediction> of(const std::vector<GridPoint> &points);

private:
    const GridPoints &points_;
    Learner &learner_;
    const size_t task_;
    std::map<GridPoint, std::vector<float>> features_;
};

}  // namespace emulsion
