#include "tuner/point_scores.h"

namespace emulsion {

std::vector<Prediction> PointScores::of(const std::vector<GridPoint> &points) {
    // Beyond that they are computed anew: a session has many tasks.
    constexpr size_t kMostKnown = 20'000;
    if (features_.size() > kMostKnown) {
        features_.clear();
    }
    std::vector<std::vector<float>> features;
    features.reserve(points.size());
    for (const GridPoint &point : points) {
        auto found = features_.find(point);
        if (found == features_.end()) {
            found =
                features_.emplace(point, learner_.features(task_).of(points_.nest(point))).first;
        }
        features.push_back(found->second);
    }
    return learner_.predict(task_, features);
}

}  // namespace emulsion
