#include "tuner/statement_model.h"

#include <algorithm>

#include "tuner/losses.h"

namespace emulsion {

namespace {

constexpr size_t kFewest = 16;      // samples
constexpr double kNewShare = 0.05;  // of the samples, for the trees to be fitted anew

// Statements of programs, and of each the program.
struct Statements {
    FeatureMatrix rows;
    std::vector<size_t> program;

    void add(size_t number, const StatementRows &of_program) {
        for (const std::vector<float> &row : of_program) {
            rows.columns = row.size();
            rows.values.insert(rows.values.end(), row.begin(), row.end());
            program.push_back(number);
        }
    }
};

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
    Statements statements;
    std::vector<float> labels;
    for (const Sample &sample : samples_) {
        statements.add(labels.size(), sample.rows);
        labels.push_back(sample.ratio > 0.0
                             ? static_cast<float>(best_ratio_[sample.task] / sample.ratio)
                             : 0.0F);
    }
    const TreeOptions options{.rounds = 100, .depth = 8};
    trees_.fit(statements.rows, statements.program, throughput_error(std::move(labels)), options);
    fitted_samples_ = samples_.size();
}

std::vector<double> StatementModel::scores(const std::vector<StatementRows> &programs) {
    if (samples_.size() < kFewest) {
        return {};
    }
    refit();
    Statements statements{.rows = {.columns = samples_.front().rows.front().size()}};
    for (size_t i = 0; i < programs.size(); i++) {
        statements.add(i, programs[i]);
    }
    const std::vector<float> of_rows = trees_.predict(statements.rows);
    std::vector<double> scores(programs.size(), 0.0);
    for (size_t row = 0; row < of_rows.size(); row++) {
        scores[statements.program[row]] += of_rows[row];
    }
    return scores;
}

}  // namespace emulsion
