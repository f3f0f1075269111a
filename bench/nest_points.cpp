#include "bench/nest_points.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/progress.h"
#include "bench/statistics.h"
#include "frontend/lower/compute_constants.h"
#include "frontend/lower/problem_key.h"
#include "frontend/lower/set_nests.h"
#include "fusion/cost/nest_price.h"
#include "fusion/error.h"
#include "fusion/random_nest.h"

namespace emulsion {

namespace {

// An operator of the network and the launch that computes it alone.
struct Subject {
    size_t launch = 0;
    const PlannedGroup *group = nullptr;
    const NestSpace *space = nullptr;
    double ms = 0.0;  // predicted
};

const NestSpace *space_of(const OperatorGraph &graph, const std::string &name) {
    const auto op = static_cast<size_t>(graph.index_of(name));
    return &graph.operators[op].implementation.nest;
}

// By template, those that are worth measuring, each once, the cheapest first.
std::map<std::string, std::vector<Subject>> subjects_of(const PlannedNetwork &network,
                                                        const NestDrawing &drawing) {
    std::map<std::string, std::vector<Subject>> subjects;
    std::set<std::string> known;
    const std::vector<size_t> launched = network.launched_groups();
    for (size_t own = 0; own < launched.size(); own++) {
        const PlannedGroup &group = network.plan.groups[launched[own]];
        if (group.kind != GroupKind::Compute || group.members.size() != 1) {
            continue;
        }
        const std::string &name = group.members.front().nest.template_name;
        const double ms = network.machine.milliseconds(group.cycles);
        if (!name.empty() && (drawing.only.empty() || drawing.only == name) &&
            ms >= drawing.least_ms &&
            known.insert(problem_key(network.launches[own].unit)).second) {
            subjects[name].push_back(
                {own, &group, space_of(network.operators, group.members.front().op), ms});
        }
    }
    for (auto &[name, list] : subjects) {
        std::stable_sort(list.begin(), list.end(),
                         [](const Subject &a, const Subject &b) { return a.ms < b.ms; });
    }
    return subjects;
}

// Throws Error unless some operator has a loop nest of that template.
void require_template(const Plan &plan, const std::string &wanted, const std::string &file) {
    std::set<std::string> templates;
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            if (!member.nest.empty()) {
                templates.insert(member.nest.template_name);
            }
        }
    }
    if (templates.count(wanted) == 0) {
        throw Error(fmt::format("no operator has a loop nest of template '{}'; there are {}",
                                wanted, fmt::join(templates, ", ")),
                    {.file = file});
    }
}

// So many of a list, evenly spread.
std::vector<Subject> spread(const std::vector<Subject> &list, size_t count) {
    std::vector<Subject> some;
    for (size_t i = 0; i < std::min(count, list.size()); i++) {
        some.push_back(list[(2 * i + 1) * list.size() / (2 * std::min(count, list.size()))]);
    }
    return some;
}

// Launches of one operator with different nests, and these.
struct Points {
    std::vector<PlannedLaunch> launches;
    std::vector<Nest> nests;

    void add(const PlannedNetwork &network, const Subject &subject, const Nest &nest) {
        launches.push_back(network.launches[subject.launch]);
        set_nest(network, *subject.group, nest, launches.back().unit);
        nests.push_back(nest);
    }
};

Points draw_points(const PlannedNetwork &network, const Subject &subject,
                   const NestDrawing &drawing) {
    Points points;
    const Nest planned = subject.group->members.front().nest;
    points.add(network, subject, planned);
    std::mt19937_64 engine(drawing.seed);
    constexpr int kTries = 20;
    for (int tries = 0; tries < drawing.points * kTries &&
                        points.nests.size() <= static_cast<size_t>(drawing.points);
         tries++) {
        const Nest nest = random_nest(*subject.space, planned, engine);
        if (std::find(points.nests.begin(), points.nests.end(), nest) == points.nests.end()) {
            points.add(network, subject, nest);
        }
    }
    return points;
}

// A network's operators one at a time.
class NestMeasuring {
public:
    NestMeasuring(const PlannedModel &model, const CompileOptions &options,
                  const NestDrawing &drawing, const UnitMeasuring &measuring)
        : model_(model), options_(options), drawing_(drawing), measuring_(measuring),
          units_(model.networks.front()) {
        compute_constants(units_);
    }

    NestTask measure(const Subject &subject, Progress &progress);

private:
    const PlannedModel &model_;
    const CompileOptions &options_;
    const NestDrawing &drawing_;
    const UnitMeasuring &measuring_;
    PlannedNetwork
        units_;  // the network, with nothing but launches of the operator that is measured
};

NestTask NestMeasuring::measure(const Subject &subject, Progress &progress) {
    const PlannedNetwork &network = model_.networks.front();
    const PlannedLaunch &launch = network.launches[subject.launch];
    Points points = draw_points(network, subject, drawing_);
    NestTask task{model_.model.file, launch.label, points.nests.front().template_name, {}};
    units_.launches = std::move(points.launches);
    const std::vector<UnitTimes> times =
        measure_units(units_, options_, measuring_, nullptr, progress);
    for (const UnitTimes &unit : times) {
        const Nest &nest = points.nests[static_cast<size_t>(unit.launch)];
        if (unit.shrunk) {
            task.left_out++;
            continue;
        }
        const GroupPrice price =
            price_with_nests(network.operators, *subject.group,
                             {{subject.group->members.front().op, nest}}, network.machine);
        task.nests.push_back({nest, price.cycles, summarise(unit.ms).min});
    }
    return task;
}

std::string describe(const Nest &nest) {
    std::string text;
    for (const auto &[name, value] : nest.parameters) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    }
    return text;
}

template<typename Less>
const MeasuredNest &least(const NestTask &task, Less less) {
    return *std::min_element(task.nests.begin(), task.nests.end(), less);
}

double best_ms(const NestTask &task) {
    return least(task, [](const auto &a, const auto &b) { return a.ms < b.ms; }).ms;
}

}  // namespace

double NestTask::spearman() const {
    std::vector<double> predicted, measured;
    for (const MeasuredNest &nest : nests) {
        predicted.push_back(nest.cycles);
        measured.push_back(nest.ms);
    }
    return emulsion::spearman(predicted, measured);
}

double NestTask::cheapest_over_best() const {
    const auto cheaper = [](const auto &a, const auto &b) { return a.cycles < b.cycles; };
    return least(*this, cheaper).ms / best_ms(*this);
}

double NestTask::planned_over_best() const { return nests.front().ms / best_ms(*this); }

std::vector<NestTask> measure_nests(const PlannedModel &model, const CompileOptions &options,
                                    const NestDrawing &drawing, UnitMeasuring measuring,
                                    Progress &progress) {
    const PlannedNetwork &network = model.networks.front();
    if (!drawing.only.empty()) {
        require_template(network.plan, drawing.only, model.model.file);
    }
    NestMeasuring measured(model, options, drawing, measuring);
    std::vector<NestTask> tasks;
    for (const auto &[name, list] : subjects_of(network, drawing)) {
        for (const Subject &subject : spread(list, static_cast<size_t>(drawing.tasks))) {
            NestTask task = measured.measure(subject, progress);
            if (!task.nests.empty()) {
                tasks.push_back(std::move(task));
            }
        }
    }
    return tasks;
}

void print_tasks(const std::vector<NestTask> &tasks, bool verbose) {
    fmt::print("{:<16}{:>7}{:>10}{:>10}{:>10}{:>10}  {}\n", "template", "points", "best ms",
               "Spearman", "cheapest", "planned", "operator");
    for (const NestTask &task : tasks) {
        fmt::print("{:<16}{:>7}{:>10.4f}{:>10.3f}{:>10.3f}{:>10.3f}  {}: {}\n", task.template_name,
                   task.nests.size(), best_ms(task), task.spearman(), task.cheapest_over_best(),
                   task.planned_over_best(), task.model, task.label);
        for (const MeasuredNest &nest : task.nests) {
            if (verbose) {
                fmt::print("    {:>10.4f} ms{:>12.4f} Mcycles  {}\n", nest.ms, 1e-6 * nest.cycles,
                           describe(nest.nest));
            }
        }
    }
}

Json to_json(const std::vector<NestTask> &tasks) {
    Json list = Json::array();
    for (const NestTask &task : tasks) {
        Json nests = Json::array();
        for (const MeasuredNest &nest : task.nests) {
            nests.push_back({{"parameters", nest.nest.parameters},
                             {"predicted_cycles", nest.cycles},
                             {"least_ms", nest.ms}});
        }
        list.push_back({{"model", task.model},
                        {"operator", task.label},
                        {"template", task.template_name},
                        {"spearman", task.spearman()},
                        {"cheapest_over_best", task.cheapest_over_best()},
                        {"planned_over_best", task.planned_over_best()},
                        {"left_out", task.left_out},
                        {"nests", nests}});
    }
    return list;
}

}  // namespace emulsion
