#include "tuner/train.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "fusion/error.h"
#include "fusion/geometric_mean.h"
#include "tuner/features.h"
#include "tuner/outcome.h"
#include "tuner/points.h"

namespace emulsion {

namespace {

// Points of a task with their features, the planned nest first.
struct LearnedTask {
    std::unique_ptr<PointFeatures> features;
    TaskSamples samples;
};

LearnedTask learned(const RecordedTask &recorded) {
    LearnedTask task{std::make_unique<PointFeatures>(recorded.task), {}};
    task.samples.names = &task.features->names();
    double best = 1.0;
    for (const auto &[text, results] : recorded.points) {
        if (results.first.outcome == Outcome::Ok) {
            best = std::min(best, results.first.ratio);
        }
    }
    const auto add = [&](const Nest &nest, double ratio) {
        task.samples.features.push_back(task.features->of(nest));
        task.samples.scores.push_back(ratio > 0.0 ? static_cast<float>(best / ratio) : 0.0F);
        task.samples.are_valid.push_back(ratio > 0.0);
        task.samples.surprises.push_back(std::numeric_limits<float>::quiet_NaN());
    };
    add(recorded.task.planned, 1.0);
    for (const auto &[text, results] : recorded.points) {
        const Result &first = results.first;
        add(first.nest, first.outcome == Outcome::Ok ? first.ratio : 0.0);
    }
    return task;
}

struct Pick {
    double ratio = 1.0, best = 1.0;  // of the second sitting
    bool is_planned = true;
};

Pick picked(const RecordedTask &recorded, const Predictor &predictor) {
    std::vector<Nest> candidates;
    Pick pick;
    double least = 1.0;
    for (const auto &[text, results] : recorded.points) {
        const auto &[first, second] = results;
        candidates.push_back(first.nest);
        if (first.outcome == Outcome::Ok && second.outcome == Outcome::Ok && first.ratio < least) {
            least = first.ratio;
            pick.best = second.ratio;
        }
    }
    const Nest nest = predictor.pick(recorded.task, candidates);
    if (nest != recorded.task.planned) {
        const Result &second = recorded.points.at(point_text(nest)).second;
        pick.ratio = second.outcome == Outcome::Ok ? second.ratio : kFailedRatio;
        pick.is_planned = false;
    }
    return pick;
}

using Tasks = std::vector<const RecordedTask *>;

Tasks tasks_of(std::span<const NetworkRecord> networks) {
    Tasks tasks;
    for (const NetworkRecord &network : networks) {
        for (const RecordedTask &recorded : network.tasks) {
            tasks.push_back(&recorded);
        }
    }
    return tasks;
}

// What all of them were recorded for.
Predictor::Scope scope_of(const std::vector<NetworkRecord> &networks) {
    const NetworkRecord *first = nullptr;
    Predictor::Scope scope;
    for (const NetworkRecord &network : networks) {
        for (const RecordedTask &recorded : network.tasks) {
            const TuningScope &own = recorded.task.scope;
            if (first == nullptr) {
                first = &network;
                scope = {own.target, own.threads};
            } else if (scope != Predictor::Scope{own.target, own.threads}) {
                throw Error("a predictor is of one target and number of threads: '" + first->name +
                            "' was recorded for " + scope.target + " on " +
                            std::to_string(scope.threads) + ", '" + network.name + "' for " +
                            own.target + " on " + std::to_string(own.threads));
            }
        }
    }
    return scope;
}

// Tasks that are held out together, and a model of those that do not have their problems.
struct Fold {
    std::string name;
    Tasks tasks;
    std::shared_ptr<const Model> model;
};

Fold fold_of(const std::string &name, Tasks tasks, const Tasks &all) {
    std::set<std::string> problems;
    for (const RecordedTask *recorded : tasks) {
        problems.insert(recorded->task.problem);
    }
    Tasks others;
    std::copy_if(all.begin(), all.end(), std::back_inserter(others),
                 [&](const RecordedTask *each) { return problems.count(each->task.problem) == 0; });
    if (others.empty()) {
        throw Error("no group was recorded that '" + name +
                    "' does not have: a predictor is judged by groups that it was not trained on");
    }
    return {name, std::move(tasks), trained_model(others)};
}

std::vector<Fold> network_folds(const std::vector<NetworkRecord> &networks) {
    const Tasks all = tasks_of(networks);
    std::vector<Fold> folds;
    for (const NetworkRecord &network : networks) {
        folds.push_back(fold_of(network.name, tasks_of({&network, 1}), all));
    }
    return folds;
}

// Every fifth problem each.
std::vector<Fold> shape_folds(const std::vector<NetworkRecord> &networks) {
    constexpr size_t kFolds = 5;
    const Tasks all = tasks_of(networks);
    std::map<std::string, const RecordedTask *> by_problem;
    for (const RecordedTask *recorded : all) {
        by_problem.emplace(recorded->task.problem, recorded);
    }
    std::vector<Tasks> held(std::min(kFolds, by_problem.size()));
    size_t next = 0;
    for (const auto &[problem, recorded] : by_problem) {
        held[next++ % held.size()].push_back(recorded);
    }
    std::vector<Fold> folds;
    for (Tasks &tasks : held) {
        folds.push_back(fold_of("a fifth of the groups", std::move(tasks), all));
    }
    return folds;
}

HeldOutFigures figures_of(const std::string &name, const std::vector<Pick> &picks) {
    HeldOutFigures figures{.name = name, .tasks = picks.size()};
    std::vector<double> over_best, over_planned, planned_over_best;
    for (const Pick &pick : picks) {
        over_best.push_back(pick.ratio / pick.best);
        over_planned.push_back(pick.ratio);
        planned_over_best.push_back(1.0 / pick.best);
        figures.worst = std::max(figures.worst, over_best.back());
        figures.changed += pick.is_planned ? 0 : 1;
    }
    figures.over_best = geometric_mean(over_best);
    figures.over_planned = geometric_mean(over_planned);
    figures.planned_over_best = geometric_mean(planned_over_best);
    return figures;
}

std::vector<Pick> picks_of(const Fold &fold, double margin, const Predictor::Scope &scope) {
    const Predictor predictor(fold.model, margin, scope);
    std::vector<Pick> picks;
    for (const RecordedTask *recorded : fold.tasks) {
        picks.push_back(picked(*recorded, predictor));
    }
    return picks;
}

// By which what was picked was the fastest, in the geometric mean over tasks.
double best_margin(const std::vector<Fold> &folds, const Predictor::Scope &scope) {
    constexpr double kNever = 1e6;  // nothing is that much better
    constexpr std::array kMargins{0.0, 0.1, 0.2, 0.4, 0.8, 1.6, kNever};
    double best = 0.0, least = std::numeric_limits<double>::infinity();
    for (const double margin : kMargins) {
        std::vector<double> ratios;
        for (const Fold &fold : folds) {
            for (const Pick &pick : picks_of(fold, margin, scope)) {
                ratios.push_back(pick.ratio);
            }
        }
        if (const double mean = geometric_mean(ratios); mean < least) {
            least = mean;
            best = margin;
        }
    }
    return best;
}

}  // namespace

std::unique_ptr<Model> trained_model(const std::vector<const RecordedTask *> &tasks) {
    std::vector<LearnedTask> known;
    std::vector<TaskSamples> samples;
    for (const RecordedTask *recorded : tasks) {
        known.push_back(learned(*recorded));
        samples.push_back(known.back().samples);
    }
    if (samples.empty()) {
        throw Error("there is no recorded task to learn from");
    }
    auto model = find_model("trees").make(1);
    model->fit(samples, {.order = true});
    return model;
}

HeldOutFigures held_out(const NetworkRecord &network, const Predictor &predictor) {
    std::vector<Pick> picks;
    for (const RecordedTask &recorded : network.tasks) {
        picks.push_back(picked(recorded, predictor));
    }
    return figures_of(network.name, picks);
}

Trained train(const std::vector<NetworkRecord> &networks, std::optional<double> given_margin) {
    if (networks.size() < 2) {
        throw Error("a predictor is trained on two networks or more: each is held out once");
    }
    const Predictor::Scope scope = scope_of(networks);
    const std::vector<Fold> folds = network_folds(networks);
    const double margin = given_margin ? *given_margin : best_margin(folds, scope);
    Trained trained{Predictor(trained_model(tasks_of(networks)), margin, scope), {}, {}};
    for (const Fold &fold : folds) {
        trained.networks.push_back(figures_of(fold.name, picks_of(fold, margin, scope)));
    }
    std::vector<Pick> picks;
    for (const Fold &fold : shape_folds(networks)) {
        const std::vector<Pick> own = picks_of(fold, margin, scope);
        picks.insert(picks.end(), own.begin(), own.end());
    }
    trained.shapes = figures_of("shapes", picks);
    return trained;
}

}  // namespace emulsion
