// What a session learns: the measurements of all its tasks, and a model of them that is fitted anew as there are more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "tuner/features.h"
#include "tuner/model.h"
#include "tuner/outcome.h"
#include "tuner/task.h"

namespace emulsion {

class Learner {
public:
    Learner(const ModelKind &kind, uint64_t seed);

    // Takes part in it from now on; its number. `task` outlives this.
    size_t add(const TuningTask &task, const ModelUse &use);
    void observe(size_t task, const std::vector<Result> &results);

    const PointFeatures &features(size_t task) const { return *tasks_[task].features; }
    // Measurements of this task.
    size_t samples(size_t task) const { return tasks_[task].results.size(); }
    // Of points, by their features; nothing where the model knows nothing of the task yet.
    std::vector<Prediction> predict(size_t task, const std::vector<std::vector<float>> &points);
    // As of the last fit.
    const Model &model() const { return *model_; }

private:
    struct Task {
        std::unique_ptr<PointFeatures> features;
        double best_ratio = 1.0;  // least, of all that is known
        std::vector<std::vector<float>> points;
        std::vector<Result> results;
        std::vector<float> surprises;
    };

    void refit();

    std::unique_ptr<Model> model_;
    double new_share_;
    ModelUse use_;
    std::deque<Task> tasks_;
    size_t samples_ = 0, fitted_samples_ = 0;  // of all tasks
};

}  // namespace emulsion
