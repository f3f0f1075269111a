#include "tuner/best_point.h"

#include <algorithm>

#include "tuner/points.h"

namespace emulsion {

void BestPoint::add(const std::vector<Result> &results) {
    for (const Result &result : results) {
        if (result.outcome != Outcome::Ok) {
            continue;
        }
        Point &point = points_[point_text(result.nest)];
        point.nest = result.nest;
        point.ratios.insert(
            std::upper_bound(point.ratios.begin(), point.ratios.end(), result.ratio), result.ratio);
        point.ratio = point.ratios[point.ratios.size() / 2];
    }
    best_ = {planned_, 1.0};
    for (const auto &[text, point] : points_) {
        if (point.ratio < best_.second) {
            best_ = {point.nest, point.ratio};
        }
    }
}

std::vector<Nest> BestPoint::fastest(size_t most, double below) const {
    std::vector<const Point *> order;
    for (const auto &[text, point] : points_) {
        if (point.ratio < below) {
            order.push_back(&point);
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Point *a, const Point *b) { return a->ratio < b->ratio; });
    std::vector<Nest> nests;
    for (size_t i = 0; i < std::min(most, order.size()); i++) {
        nests.push_back(order[i]->nest);
    }
    return nests;
}

}  // namespace emulsion
