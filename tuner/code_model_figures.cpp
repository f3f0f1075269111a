#include "tuner/code_model_figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "tuner/code_learner.h"
#include "tuner/outcome.h"

namespace emulsion {

namespace {

constexpr size_t kFolds = 5;

double ratio_of(const Result &result) {
    return result.outcome == Outcome::Ok && result.ratio > 0.0 ? result.ratio : 0.0;
}

// Of the fastest point; 0 where none runs.
double best_ratio(const StoredCode &task) {
    double best = 0.0;
    for (const Result &result : task.results) {
        if (const double ratio = ratio_of(result); ratio > 0.0 && (best == 0.0 || ratio < best)) {
            best = ratio;
        }
    }
    return best;
}

double rank_error(const StoredCode &task, const CodeModel &model,
                  const std::vector<size_t> &points) {
    constexpr double kApart = 1.02;
    CodeList programs;
    std::vector<double> ratios;
    for (const size_t i : points) {
        if (const double ratio = ratio_of(task.results[i]); ratio > 0.0) {
            programs.push_back(&task.code[i]);
            ratios.push_back(ratio);
        }
    }
    const std::vector<double> scores = model.scores(programs);
    double wrong = 0.0, pairs = 0.0;
    for (size_t i = 0; i < ratios.size(); i++) {
        for (size_t j = 0; j < ratios.size(); j++) {
            if (ratios[j] > kApart * ratios[i]) {
                wrong += scores[i] < scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
                pairs += 1.0;
            }
        }
    }
    return pairs > 0.0 ? wrong / pairs : 0.0;
}

std::vector<size_t> all_points(const StoredCode &task) {
    std::vector<size_t> all(task.results.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return all;
}

// Points in a search, and which of them nobody has looked at.
class PointSearch {
public:
    PointSearch(const StoredCode &task, const std::string &model, uint64_t seed)
        : task_(task), left_(all_points(task)), engine_(seed) {
        if (!model.empty()) {
            learner_.emplace(find_code_model(model), seed);
        }
    }

    // The next ones to measure; none where all were.
    std::vector<size_t> next() {
        constexpr size_t kBatch = 16, kFactor = 4;
        const bool chooses = learner_ && learner_->knows_anything();
        const size_t looked_at = std::min(chooses ? kFactor * kBatch : kBatch, left_.size());
        std::shuffle(left_.begin(), left_.end(), engine_);
        std::vector<size_t> drawn(left_.begin(),
                                  left_.begin() + static_cast<std::ptrdiff_t>(looked_at));
        if (chooses) {
            std::vector<CodeFeatures> code;
            for (const size_t i : drawn) {
                code.push_back(task_.code[i]);
            }
            sort_by(drawn, learner_->scores(code));
        }
        drawn.resize(std::min(kBatch, drawn.size()));
        for (const size_t i : drawn) {
            std::erase(left_, i);
        }
        return drawn;
    }

    void observe(const std::vector<size_t> &points) {
        if (!learner_) {
            return;
        }
        std::vector<Result> results;
        std::vector<CodeFeatures> code;
        for (const size_t i : points) {
            results.push_back(task_.results[i]);
            code.push_back(task_.code[i]);
        }
        learner_->observe(0, results, code);
    }

private:
    static void sort_by(std::vector<size_t> &points, const std::vector<double> &scores) {
        if (scores.empty()) {
            return;
        }
        std::vector<size_t> order(points.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return scores[a] > scores[b]; });
        std::vector<size_t> sorted;
        for (const size_t i : order) {
            sorted.push_back(points[i]);
        }
        points = std::move(sorted);
    }

    const StoredCode &task_;
    std::vector<size_t> left_;  // that were not measured
    std::mt19937_64 engine_;
    std::optional<CodeLearner> learner_;
};

}  // namespace

std::vector<StoredCode> tasks_with(std::vector<StoredCode> tasks, size_t fewest) {
    std::erase_if(tasks, [&](const StoredCode &task) {
        return task.results.size() < fewest || best_ratio(task) == 0.0;
    });
    return tasks;
}

std::unique_ptr<CodeModel> fitted(const CodeModelKind &kind, uint64_t seed,
                                  const std::vector<StoredCode> &tasks,
                                  const std::vector<std::vector<size_t>> &points) {
    std::vector<CodeSamples> samples;
    for (size_t t = 0; t < tasks.size(); t++) {
        const double best = best_ratio(tasks[t]);
        CodeSamples of_task;
        for (const size_t i : points[t]) {
            const double ratio = ratio_of(tasks[t].results[i]);
            of_task.programs.push_back(&tasks[t].code[i]);
            of_task.scores.push_back(ratio > 0.0 ? static_cast<float>(best / ratio) : 0.0F);
        }
        samples.push_back(std::move(of_task));
    }
    std::unique_ptr<CodeModel> model = kind.make(seed);
    model->fit(samples);
    return model;
}

RankErrors errors_of_held_out_tasks(const std::vector<StoredCode> &tasks, const CodeModelKind &kind,
                                    uint64_t seed) {
    RankErrors errors(tasks.size());
    for (size_t fold = 0; fold < std::min(kFolds, tasks.size()); fold++) {
        std::vector<std::vector<size_t>> learned(tasks.size());
        for (size_t t = 0; t < tasks.size(); t++) {
            if (t % kFolds != fold) {
                learned[t] = all_points(tasks[t]);
            }
        }
        const auto model = fitted(kind, seed, tasks, learned);
        for (size_t t = fold; t < tasks.size(); t += kFolds) {
            errors[t] = rank_error(tasks[t], *model, all_points(tasks[t]));
        }
    }
    return errors;
}

RankErrors errors_of_held_out_points(const std::vector<StoredCode> &tasks,
                                     const CodeModelKind &kind, uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<std::vector<size_t>> learned, held_out;
    for (const StoredCode &task : tasks) {
        std::vector<size_t> order = all_points(task);
        std::shuffle(order.begin(), order.end(), engine);
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(order.size() / kFolds);
        held_out.emplace_back(order.begin(), end);
        learned.emplace_back(end, order.end());
    }
    const auto model = fitted(kind, seed, tasks, learned);
    RankErrors errors;
    for (size_t t = 0; t < tasks.size(); t++) {
        errors.push_back(rank_error(tasks[t], *model, held_out[t]));
    }
    return errors;
}

std::vector<double> found_by_search(const StoredCode &task, const std::string &model, uint64_t seed,
                                    const std::vector<size_t> &trials) {
    const double best = best_ratio(task);
    PointSearch search(task, model, seed);
    std::vector<double> found;
    double so_far = kFailedRatio;
    size_t used = 0;
    while (found.size() < trials.size()) {
        const std::vector<size_t> batch = search.next();
        for (const size_t i : batch) {
            if (const double ratio = ratio_of(task.results[i]); ratio > 0.0) {
                so_far = std::min(so_far, ratio / best);
            }
            if (++used == trials[found.size()]) {
                found.push_back(so_far);
                if (found.size() == trials.size()) {
                    break;
                }
            }
        }
        if (batch.empty()) {
            found.resize(trials.size(), so_far);
        }
        search.observe(batch);
    }
    return found;
}

}  // namespace emulsion
