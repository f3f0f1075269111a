#include "tests/tuner/toy_task.h"

#include <cmath>

#include "tuner/grid.h"
#include "tuner/points.h"
#include "tuner/train.h"

namespace emulsion {

namespace {

double toy_time(const Nest &nest) {
    const auto of = [&](const char *name) { return static_cast<double>(nest.parameters.at(name)); };
    const double axis = nest.parameters.count("axis") != 0 ? 0.1 : 0.0;
    return 1.0 + std::fabs(std::log2(of("rows") / 4.0)) +
           std::fabs(std::log2(of("columns") / 16.0)) + 0.3 * (1.0 - of("unrolled")) + axis;
}

class ToyFacts : public PointFacts {
public:
    const std::vector<Fact> &of_problem() const override { return facts_; }
    const std::vector<std::string> &names() const override { return names_; }
    std::vector<double> of(const Nest &nest) const override { return {std::log2(toy_time(nest))}; }

private:
    const std::vector<Fact> facts_{{"elements", 5.0}};
    const std::vector<std::string> names_{"time"};
};

}  // namespace

std::shared_ptr<const PointFacts> toy_facts(const TuningTask &) {
    return std::make_shared<ToyFacts>();
}

std::vector<Result> toy_results(const TuningTask &task, const std::vector<Nest> &nests) {
    std::vector<Result> results;
    for (const Nest &nest : nests) {
        results.push_back({nest, Outcome::Ok, toy_ratio(task, nest), 1.0, 0.1, ""});
    }
    return results;
}

TuningTask toy_task(const std::string &problem) {
    TuningTask task{.problem = problem, .scope = {"x86-64-linux", 2, "toy"}, .label = "conv1"};
    task.space.template_name = "toy";
    task.space.parameters = {
        {"rows", NestType::Count, "rows", {1, 32}, 1},
        {"columns", NestType::Count, "columns", {1, 64, true}, 8},
        {"unrolled", NestType::Flag, "", {0, 1}, 0},
        {"axis", NestType::Axis, "axis", {0, 2}, 0, true},
    };
    task.space.constraints = {{NestConstraint::Rule::ProductAtMost,
                               {"rows", "columns"},
                               64,
                               "computes more than 64 elements"}};
    task.planned = task.space.preferred();
    for (const auto &[name, value] : std::vector<std::pair<std::string, int64_t>>{
             {"rows", 4}, {"rows", 3}, {"columns", 16}, {"columns", 64}, {"unrolled", 1}}) {
        task.suggested.push_back(task.planned);
        task.suggested.back().parameters[name] = value;
    }
    return task;
}

double toy_ratio(const TuningTask &task, const Nest &nest) {
    return toy_time(nest) / toy_time(task.planned);
}

RecordedTask toy_record(const TuningTask &task) {
    constexpr size_t kAll = 1'000'000;
    RecordedTask record{task, 2.0, {}};
    for (const Nest &nest : GridWalk(Grid(task)).next(kAll)) {
        Result result{nest, Outcome::Ok, toy_ratio(task, nest), 2.0 * toy_ratio(task, nest), 0.5};
        if (nest.parameters.at("rows") == 3) {
            result = {nest, Outcome::Crashed, 0.0, 0.0, 1.5, "signal 11"};
        }
        Result again = result;
        again.ratio *= 1.01;
        record.points.emplace(point_text(nest), std::pair{result, again});
    }
    return record;
}

std::vector<NetworkRecord> toy_networks() {
    std::vector<NetworkRecord> networks;
    for (const auto &[name, problem] :
         std::vector<std::pair<std::string, std::string>>{{"a", "p1"}, {"b", "p2"}, {"c", "p3"}}) {
        TuningTask task = toy_task(problem);
        task.facts = toy_facts(task);
        networks.push_back({name, {toy_record(task)}});
    }
    return networks;
}

Predictor toy_predictor(double margin) {
    const std::vector<NetworkRecord> networks = toy_networks();
    std::vector<const RecordedTask *> tasks;
    for (const NetworkRecord &network : networks) {
        tasks.push_back(&network.tasks.front());
    }
    const TuningScope &scope = tasks.front()->task.scope;
    return {trained_model(tasks), margin, {scope.target, scope.threads}};
}

}  // namespace emulsion
