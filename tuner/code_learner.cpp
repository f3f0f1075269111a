#include "tuner/code_learner.h"

#include <algorithm>
#include <utility>

namespace emulsion {

namespace {

constexpr size_t kFewest = 16;      // samples
constexpr double kNewShare = 0.05;  // of the samples, for the model to be fitted anew

}  // namespace

CodeLearner::CodeLearner(const CodeModelKind &kind, uint64_t seed,
                         std::shared_ptr<const CodeModel> trained)
    : model_(kind.make(seed)), trained_(std::move(trained)) {}

void CodeLearner::observe(size_t task, const std::vector<Result> &results,
                          const std::vector<CodeFeatures> &code) {
    best_ratio_.resize(std::max(best_ratio_.size(), task + 1), 1.0);
    for (size_t i = 0; i < std::min(results.size(), code.size()); i++) {
        if (code[i].empty()) {
            continue;
        }
        const double ratio = results[i].outcome == Outcome::Ok ? results[i].ratio : 0.0;
        if (ratio > 0.0) {
            best_ratio_[task] = std::min(best_ratio_[task], ratio);
        }
        samples_.push_back({task, ratio, code[i]});
    }
}

void CodeLearner::refit() {
    const auto fresh = static_cast<double>(samples_.size() - fitted_samples_);
    if (model_->is_fitted() && fresh <= kNewShare * static_cast<double>(fitted_samples_)) {
        return;
    }
    std::vector<CodeSamples> tasks(best_ratio_.size());
    for (const Sample &sample : samples_) {
        tasks[sample.task].programs.push_back(&sample.code);
        tasks[sample.task].scores.push_back(
            sample.ratio > 0.0 ? static_cast<float>(best_ratio_[sample.task] / sample.ratio)
                               : 0.0F);
    }
    model_->fit(tasks);
    fitted_samples_ = samples_.size();
}

std::vector<double> CodeLearner::scores(const std::vector<CodeFeatures> &code) {
    if (!trained_) {
        if (samples_.size() < kFewest) {
            return {};
        }
        refit();
    }
    const CodeModel &model = trained_ ? *trained_ : *model_;
    CodeList known;
    std::vector<size_t> position;
    for (size_t i = 0; i < code.size(); i++) {
        if (!code[i].empty()) {
            known.push_back(&code[i]);
            position.push_back(i);
        }
    }
    const std::vector<double> of_known = model.scores(known);
    double least = 0.0;
    for (const double score : of_known) {
        least = std::min(least, score);
    }
    // What could not be lowered is worse than all else.
    std::vector<double> scores(code.size(), least - 1.0);
    for (size_t i = 0; i < known.size(); i++) {
        scores[position[i]] = of_known[i];
    }
    return scores;
}

}  // namespace emulsion
