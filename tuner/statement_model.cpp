#include "tuner/statement_model.h"

#include <algorithm>

#include "tuner/losses.h"

namespace emulsion {

namespace {

constexpr size_t kFewest = 16;         // samples
constexpr double kNewShare = 0.05;     // of the samples, for the trees to be fitted anew
constexpr float kLeastWeight = 0.05F;  // what failed is to be known as slow

FeatureMatrix matrix_of(const StatementRows &rows) {
    FeatureMatrix matrix{.columns = rows.front().size()};
    for (const std::vector<float> &row : rows) {
        matrix.values.insert(matrix.values.end(), row.begin(), row.end());
    }
    return matrix;
}

}  // namespace

void StatementModel::observe(size_t task, const std::vector<Result> &results,
                             const std::vector<StatementRows> &programs) {
    best_ratio_.resize(std::max(best_ratio_.size(), task + 1), 1.0);
    for (size_t i = 0; i < std::min(results.size(), programs.size()); i++) {
        if (programs[i].empty()) {
            continue;
        }
        const double ratio = results[i].outcome == Outcome::Ok ? results[i].ratio : 0.0;
        if (ratio > 0.0) {
            best_ratio_[task] = std::min(best_ratio_[task], ratio);
        }
        samples_.push_back({task, ratio, programs[i]});
    }
}

void StatementModel::refit() {
    const auto fresh = static_cast<double>(samples_.size() - fitted_samples_);
    if (trees_.is_fitted() && fresh <= kNewShare * static_cast<double>(fitted_samples_)) {
        return;
    }
    StatementRows rows;
    std::vector<size_t> program;  // of every row
    std::vector<float> labels, weights;
    for (const Sample &sample : samples_) {
        rows.insert(rows.end(), sample.rows.begin(), sample.rows.end());
        program.resize(rows.size(), labels.size());
        labels.push_back(sample.ratio > 0.0
                             ? static_cast<float>(best_ratio_[sample.task] / sample.ratio)
                             : 0.0F);
        weights.push_back(std::max(labels.back(), kLeastWeight));
    }
    const TreeOptions options{.rounds = 100, .depth = 8};
    trees_.fit(matrix_of(rows), program, squared_error(std::move(labels), std::move(weights)),
               options);
    fitted_samples_ = samples_.size();
}

std::vector<double> StatementModel::scores(const std::vector<StatementRows> &programs) {
    if (samples_.size() < kFewest) {
        return {};
    }
    refit();
    std::vector<double> scores;
    for (const StatementRows &rows : programs) {
        double sum = 0.0;
        if (!rows.empty()) {
            for (const float score : trees_.predict(matrix_of(rows))) {
                sum += score;
            }
        }
        scores.push_back(sum);
    }
    return scores;
}

}  // namespace emulsion
