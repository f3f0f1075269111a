#include "tuner/learner.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emulsion {

namespace {

bool is_ok(const Result &result) { return result.outcome == Outcome::Ok && result.ratio > 0.0; }

}  // namespace

Learner::Learner(const ModelKind &kind, uint64_t seed)
    : model_(kind.make(seed)), new_share_(kind.new_share) {}

size_t Learner::add(const TuningTask &task, const ModelUse &use) {
    use_.deviation |= use.deviation;
    use_.validity |= use.validity;
    tasks_.push_back({std::make_unique<PointFeatures>(task)});
    return tasks_.size() - 1;
}

void Learner::observe(size_t task, const std::vector<Result> &results) {
    if (results.empty()) {
        return;
    }
    Task &known = tasks_[task];
    std::vector<std::vector<float>> points;
    for (const Result &result : results) {
        points.push_back(known.features->of(result.nest));
    }
    const bool has_model = model_->is_fitted() && !known.points.empty();
    const std::vector<Prediction> predictions =
        has_model ? model_->predict({known.features->names(), points, task})
                  : std::vector<Prediction>();
    for (size_t i = 0; i < results.size(); i++) {
        const Result &result = results[i];
        const double score = is_ok(result) ? known.best_ratio / result.ratio : 0.0;
        known.surprises.push_back(has_model && is_ok(result)
                                      ? static_cast<float>(std::fabs(score - predictions[i].mean))
                                      : std::numeric_limits<float>::quiet_NaN());
        known.points.push_back(std::move(points[i]));
        known.results.push_back(result);
    }
    for (const Result &result : results) {
        if (is_ok(result)) {
            known.best_ratio = std::min(known.best_ratio, result.ratio);
        }
    }
    samples_ += results.size();
}

std::vector<Prediction> Learner::predict(size_t task,
                                         const std::vector<std::vector<float>> &points) {
    if (tasks_[task].points.empty()) {
        return {};
    }
    refit();
    return model_->predict({tasks_[task].features->names(), points, task});
}

void Learner::refit() {
    const auto fresh = static_cast<double>(samples_ - fitted_samples_);
    if (model_->is_fitted() && fresh <= new_share_ * static_cast<double>(fitted_samples_)) {
        return;
    }
    std::vector<TaskSamples> samples;
    for (const Task &task : tasks_) {
        TaskSamples own{&task.features->names(), task.points, {}, {}, task.surprises};
        for (const Result &result : task.results) {
            own.are_valid.push_back(is_ok(result));
            own.scores.push_back(is_ok(result) ? static_cast<float>(task.best_ratio / result.ratio)
                                               : 0.0F);
        }
        samples.push_back(std::move(own));
    }
    model_->fit(samples, use_);
    fitted_samples_ = samples_;
}

}  // namespace emulsion
