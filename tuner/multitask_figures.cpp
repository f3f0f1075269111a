#include "tuner/multitask_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <utility>

#include "fusion/error.h"
#include "fusion/geometric_mean.h"
#include "fusion/in_parallel.h"
#include "tuner/gaussian/expected_improvement.h"
#include "tuner/model.h"
#include "tuner/outcome.h"

namespace emulsion {

namespace {

using Kind = std::vector<const StoredSamples *>;

std::vector<Kind> kinds_of(const std::vector<StoredSamples> &tasks, size_t fewest) {
    std::vector<Kind> kinds;
    for (const StoredSamples &task : tasks) {
        const auto runs = [](const Result &result) { return result.outcome == Outcome::Ok; };
        if (task.results.size() < std::max<size_t>(fewest, 1) ||
            std::none_of(task.results.begin(), task.results.end(), runs)) {
            continue;
        }
        const auto alike = std::find_if(kinds.begin(), kinds.end(), [&](const Kind &kind) {
            return kind.front()->names == task.names;
        });
        if (alike != kinds.end()) {
            alike->push_back(&task);
        } else {
            kinds.push_back({&task});
        }
    }
    std::erase_if(kinds, [](const Kind &kind) { return kind.size() < 2; });
    if (kinds.empty()) {
        throw Error("no two tasks of one kind have " + std::to_string(fewest) +
                    " points each; several are searched together");
    }
    return kinds;
}

double ratio_or_failed(const Result &result) {
    return result.outcome == Outcome::Ok ? result.ratio : kFailedRatio;
}

// What is known of a task during a search.
class PoolTask {
public:
    PoolTask(const StoredSamples &stored, std::mt19937_64 &engine)
        : stored_(stored), left_(stored.results.size()) {
        for (size_t i = 0; i < left_.size(); i++) {
            left_[i] = i;
        }
        std::shuffle(left_.begin(), left_.end(), engine);
    }

    // The number of the point among those that are left; what the model says of it, if it does.
    void measure(size_t number, double predicted = std::numeric_limits<double>::quiet_NaN()) {
        const double ratio = ratio_or_failed(stored_.results[left_[number]]);
        best_ = std::min(best_, ratio);
        surprises_.push_back(static_cast<float>(std::fabs(best_ / ratio - predicted)));
        measured_.push_back(left_[number]);
        left_.erase(left_.begin() + std::ptrdiff_t(number));
    }

    bool is_over() const { return left_.empty(); }
    double best() const { return best_; }
    const StoredSamples &stored() const { return stored_; }

    TaskSamples samples() const {
        TaskSamples samples{&stored_.names, {}, {}, {}, surprises_};
        for (const size_t i : measured_) {
            const bool runs = stored_.results[i].outcome == Outcome::Ok;
            samples.features.push_back(stored_.features[i]);
            samples.are_valid.push_back(runs);
            samples.scores.push_back(runs ? static_cast<float>(best_ / stored_.results[i].ratio)
                                          : 0.0F);
        }
        return samples;
    }

    // Measures that of which the largest improvement is expected; of equal ones that which is expected to be faster.
    void measure_best(const Model &model, size_t task) {
        std::vector<std::vector<float>> points;
        for (const size_t i : left_) {
            points.push_back(stored_.features[i]);
        }
        const std::vector<Prediction> all = model.predict({stored_.names, points, task});
        const auto worth = [&](size_t i) {
            return std::pair(expected_improvement(all[i], 0.0), all[i].mean);
        };
        size_t best = 0;
        for (size_t i = 1; i < all.size(); i++) {
            best = worth(i) > worth(best) ? i : best;
        }
        measure(best, all[best].mean);
    }

private:
    const StoredSamples &stored_;
    std::vector<size_t> left_;  // points, in any order
    std::vector<size_t> measured_;
    std::vector<float> surprises_;
    double best_ = kFailedRatio;
};

std::vector<TaskSamples> samples_of(const std::vector<PoolTask> &tasks) {
    std::vector<TaskSamples> samples;
    for (const PoolTask &task : tasks) {
        samples.push_back(task.samples());
    }
    return samples;
}

// Of every task of a kind the ratio of what was found. Without a model: of points drawn at random.
std::vector<double> found_in(const Kind &kind, const ModelKind *model_kind, uint64_t seed,
                             size_t trials) {
    std::mt19937_64 engine(seed);
    std::vector<PoolTask> tasks;
    for (const StoredSamples *task : kind) {
        tasks.emplace_back(*task, engine);
    }
    const std::unique_ptr<Model> model = model_kind ? model_kind->make(seed) : nullptr;
    for (size_t round = 0; round < trials; round++) {
        const bool is_drawn = !model || round < std::max<size_t>(trials / 2, 1);
        if (!is_drawn) {
            model->fit(samples_of(tasks), {.deviation = true});
        }
        for (size_t t = 0; t < tasks.size(); t++) {
            if (tasks[t].is_over()) {
                continue;
            }
            if (is_drawn) {
                tasks[t].measure(0);
            } else {
                tasks[t].measure_best(*model, t);
            }
        }
    }
    std::vector<double> ratios;
    for (const PoolTask &task : tasks) {
        ratios.push_back(task.best());
    }
    return ratios;
}

// What is picked for a task of a kind by what the others have measured: its ratio.
double transferred(const Kind &kind, size_t left_out, uint64_t seed, size_t trials) {
    std::mt19937_64 engine(seed);
    std::vector<PoolTask> others;
    for (size_t i = 0; i < kind.size(); i++) {
        if (i != left_out) {
            others.emplace_back(*kind[i], engine);
            for (size_t trial = 0; trial < trials && !others.back().is_over(); trial++) {
                others.back().measure(0);
            }
        }
    }
    const std::unique_ptr<Model> model = find_model("coregional").make(seed);
    model->fit(samples_of(others), {});
    const StoredSamples &task = *kind[left_out];
    const std::vector<Prediction> all = model->predict({task.names, task.features});
    const auto best =
        std::max_element(all.begin(), all.end(),
                         [](const Prediction &a, const Prediction &b) { return a.mean < b.mean; });
    return ratio_or_failed(task.results[static_cast<size_t>(best - all.begin())]);
}

MultitaskTask described(const StoredSamples &task, const std::string &kind) {
    std::vector<double> ratios;
    for (const Result &result : task.results) {
        ratios.push_back(ratio_or_failed(result));
    }
    std::sort(ratios.begin(), ratios.end());
    return {.label = task.label,
            .kind = kind,
            .points = ratios.size(),
            .best = ratios.front(),
            .median = ratios[ratios.size() / 2]};
}

// By model, by task of all kinds, over seeds: what was found.
using Found = std::vector<std::vector<std::vector<double>>>;

Found searched(const std::vector<Kind> &kinds, const MultitaskOptions &options) {
    std::vector<const ModelKind *> models;
    for (const std::string &name : options.models) {
        models.push_back(name.empty() ? nullptr : &find_model(name));
    }
    const auto seeds = static_cast<size_t>(options.seeds);
    std::vector<std::vector<double>> ratios(models.size() * kinds.size() * seeds);
    in_parallel(ratios.size(), options.jobs, [&](size_t i) {
        ratios[i] = found_in(kinds[i / seeds % kinds.size()], models[i / seeds / kinds.size()],
                             i % seeds + 1, options.trials);
    });
    Found found(models.size());
    for (size_t i = 0; i < ratios.size(); i += seeds) {
        auto &of_model = found[i / seeds / kinds.size()];
        for (size_t t = 0; t < ratios[i].size(); t++) {
            of_model.emplace_back();
            for (size_t seed = 0; seed < seeds; seed++) {
                of_model.back().push_back(ratios[i + seed][t]);
            }
        }
    }
    return found;
}

}  // namespace

MultitaskFigures multitask_figures(const std::vector<StoredSamples> &tasks,
                                   const MultitaskOptions &options) {
    const std::vector<Kind> kinds = kinds_of(tasks, options.fewest);
    const Found found = searched(kinds, options);
    MultitaskFigures figures;
    for (const Kind &kind : kinds) {
        for (size_t i = 0; i < kind.size(); i++) {
            MultitaskTask task = described(*kind[i], kind.front()->label);
            std::vector<double> picked;
            for (int seed = 1; seed <= options.seeds; seed++) {
                picked.push_back(transferred(kind, i, static_cast<uint64_t>(seed), options.trials) /
                                 task.best);
            }
            task.transferred = geometric_mean(picked);
            figures.tasks.push_back(std::move(task));
        }
    }
    constexpr double kTie = 1.02;
    for (size_t m = 0; m < found.size(); m++) {
        std::vector<std::vector<double>> over;  // the reference's time over its own
        int good = 0;
        for (size_t t = 0; t < figures.tasks.size(); t++) {
            const std::vector<double> &own = found[m][t], &other = found[options.reference][t];
            over.emplace_back();
            for (size_t seed = 0; seed < own.size(); seed++) {
                over.back().push_back(other[seed] / own[seed]);
            }
            figures.tasks[t].over_best.push_back(geometric_mean(own) / figures.tasks[t].best);
            good += geometric_mean(over.back()) * kTie >= 1.0 ? 1 : 0;
        }
        figures.times_as_fast.push_back(geometric_interval(over));
        figures.wins_or_ties.push_back(static_cast<double>(good) /
                                       static_cast<double>(figures.tasks.size()));
    }
    return figures;
}

}  // namespace emulsion
