#include "tuner/train.h"

#include <algorithm>
#include <array>
#include <limits>

#include "fusion/error.h"
#include "fusion/geometric_mean.h"
#include "tuner/features.h"
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
        constexpr double kFailed = 100.0;
        const Result &second = recorded.points.at(point_text(nest)).second;
        pick.ratio = second.outcome == Outcome::Ok ? second.ratio : kFailed;
        pick.is_planned = false;
    }
    return pick;
}

std::vector<NetworkRecord> without(const std::vector<NetworkRecord> &networks, size_t i) {
    std::vector<NetworkRecord> others = networks;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    return others;
}

}  // namespace

std::unique_ptr<Model> trained_model(const std::vector<NetworkRecord> &networks) {
    std::vector<LearnedTask> tasks;
    std::vector<TaskSamples> samples;
    for (const NetworkRecord &network : networks) {
        for (const RecordedTask &recorded : network.tasks) {
            tasks.push_back(learned(recorded));
            samples.push_back(tasks.back().samples);
        }
    }
    if (samples.empty()) {
        throw Error("there is no recorded task to learn from");
    }
    auto model = find_model("trees").make(1);
    model->fit(samples, {.order = true});
    return model;
}

HeldOutFigures held_out(const NetworkRecord &network, const Predictor &predictor) {
    HeldOutFigures figures{.network = network.name, .tasks = network.tasks.size()};
    std::vector<double> over_best, over_planned, planned_over_best;
    for (const RecordedTask &recorded : network.tasks) {
        const Pick pick = picked(recorded, predictor);
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

Trained train(const std::vector<NetworkRecord> &networks) {
    constexpr double kNever = 1e6;  // nothing is that much better
    constexpr std::array kMargins{0.0, 0.1, 0.2, 0.4, 0.8, 1.6, kNever};
    if (networks.size() < 2) {
        throw Error("a predictor is trained on two networks or more: each is held out once");
    }
    std::vector<std::string> models;
    for (size_t i = 0; i < networks.size(); i++) {
        models.push_back(trained_model(without(networks, i))->save());
    }
    const auto figures_with = [&](double margin) {
        std::vector<HeldOutFigures> all;
        for (size_t i = 0; i < networks.size(); i++) {
            auto model = find_model("trees").make(1);
            model->load(models[i]);
            all.push_back(held_out(networks[i], Predictor(std::move(model), margin)));
        }
        return all;
    };
    double best_margin = 0.0, least = std::numeric_limits<double>::infinity();
    for (const double margin : kMargins) {
        std::vector<double> over_planned;
        for (const HeldOutFigures &figures : figures_with(margin)) {
            over_planned.insert(over_planned.end(), figures.tasks, figures.over_planned);
        }
        if (const double mean = geometric_mean(over_planned); mean < least) {
            least = mean;
            best_margin = margin;
        }
    }
    return {Predictor(trained_model(networks), best_margin), figures_with(best_margin)};
}

}  // namespace emulsion
