#include "bench/tuning/tuned_json.h"

#include "tuner/ansor/sketches.h"
#include "tuner/grid.h"

namespace emulsion {

namespace {

// One of every trial, in their order.
Json tried_json(const std::vector<TriedPoint> &tried) {
    Json all = Json::array();
    for (const TriedPoint &point : tried) {
        Json line = {{"origin", point.origin}, {"outcome", name_of(point.outcome)}};
        if (point.outcome == Outcome::Ok) {
            line["ratio"] = point.ratio;
        }
        if (point.predicted) {
            line["predicted"] = *point.predicted;
        }
        all.push_back(std::move(line));
    }
    return all;
}

}  // namespace

Json importances_json(const std::vector<std::pair<std::string, double>> &importances) {
    Json json = Json::array();
    for (const auto &[name, share] : importances) {
        json.push_back({{"feature", name}, {"share", share}});
    }
    return json;
}

Json tuned_json(const TunedNetwork &tuned, const std::string &model, int threads,
                const SessionOptions &session) {
    Json tasks = Json::array();
    for (const auto &[task, found, tried] : tuned.tasks) {
        Json outcomes = Json::object();
        for (const auto &[outcome, count] : found.outcomes) {
            outcomes[name_of(outcome)] = count;
        }
        tasks.push_back({{"problem", task.problem},
                         {"label", task.label},
                         {"template", task.planned.template_name},
                         {"launches", task.launches},
                         {"sketches", sketches_of(task)},
                         {"grid", Grid(task).size()},
                         {"suggested", task.suggested.size()},
                         {"predicted_ms", task.predicted_ms},
                         {"planned_ms", found.curve.planned_ms},
                         {"trials", found.trials},
                         {"outcomes", outcomes},
                         {"curve", found.curve.best},
                         {"tried", tried_json(tried)},
                         {"ratio", found.best.ratio()},
                         {"in_network", tuned.ratio_in_network(task.problem)}});
    }
    Json steps = Json::array();
    for (const TuningStep &step : tuned.steps) {
        steps.push_back({{"task", step.task}, {"seconds", step.seconds}, {"ratio", step.ratio}});
    }
    return {{"model", model},
            {"target", tuned.tuned.target},
            {"threads", threads},
            {"machine", tuned.tuned.machine},
            {"strategy", session.strategy},
            {"allocator", session.allocator},
            {"rerank", session.rerank},
            {"seed", session.seed},
            {"trials", tuned.trials},
            {"seconds", tuned.seconds},
            {"untuned_ms", tuned.untuned_ms},
            {"tuned_ms", tuned.first.ms},
            {"planned_again_ms", tuned.other.ms},
            {"planned_again_ratio", tuned.other_over_first},
            {"plans", tuned.plans},
            {"has_plan", tuned.tuned.plan.has_value()},
            {"nests", tuned.tuned.nests.size()},
            {"importances", importances_json(tuned.importances)},
            {"steps", steps},
            {"tasks", tasks}};
}

}  // namespace emulsion
