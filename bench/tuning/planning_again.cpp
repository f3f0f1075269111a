#include "bench/tuning/planning_again.h"

#include <algorithm>
#include <map>

#include "frontend/lower/problem_key.h"
#include "fusion/cost/analytic_cost.h"

namespace emulsion {

namespace {

bool are_planned_alike(const PlannedNetwork &a, const PlannedNetwork &b) {
    return std::equal(a.plan.groups.begin(), a.plan.groups.end(), b.plan.groups.begin(),
                      b.plan.groups.end(), [](const PlannedGroup &one, const PlannedGroup &other) {
                          return one.kind == other.kind && group_key(one) == group_key(other);
                      });
}

}  // namespace

PlanningAgain::PlanningAgain(const PlannedModel &first, const CompileOptions &options)
    : first_(first), options_(options) {
    add(first.networks.front(), nullptr);
}

// `costs` are those that it was planned with; null: the analytic model's.
void PlanningAgain::add(const PlannedNetwork &network, const MeasuredCosts *costs) {
    std::map<std::string, double> known;
    for (const std::vector<Group> &plan : groups_) {
        for (const Group &group : plan) {
            known[group.key] = group.predicted;
        }
    }
    std::vector<Group> groups;
    const std::vector<size_t> launched = network.launched_groups();
    for (size_t i = 0; i < launched.size(); i++) {
        const PlannedGroup &group = network.plan.groups[launched[i]];
        const std::string key = group_key(group), nest = root_template(group);
        const auto predicted = known.find(key);
        const double scale = costs != nullptr ? costs->scale_of(nest) : 1.0;
        groups.push_back({problem_key(network.launches[i].unit), key, nest,
                          predicted != known.end() ? predicted->second : group.cycles / scale});
    }
    groups_.push_back(std::move(groups));
}

std::shared_ptr<MeasuredCosts> PlanningAgain::costs_with(const MeasuredTimes &times) const {
    const double ms_per_cycle = first_.networks.front().machine.milliseconds(1.0);
    std::vector<MeasuredGroup> measured;
    for (const std::vector<Group> &plan : groups_) {
        for (const Group &group : plan) {
            if (const double ms = times(group.problem); ms > 0.0) {
                measured.push_back(
                    {group.key, group.template_name, ms / ms_per_cycle, group.predicted});
            }
        }
    }
    return std::make_shared<MeasuredCosts>(
        std::make_shared<AnalyticCosts>(machine_for(options_.plan)), measured);
}

const PlannedModel *PlanningAgain::next(const MeasuredTimes &times) {
    const std::shared_ptr<MeasuredCosts> costs = costs_with(times);
    CompileOptions measured = options_;
    measured.plan.costs = costs;
    auto plan = std::make_unique<PlannedModel>(planned_model(first_.model, measured));
    if (was_planned(plan->networks.front())) {
        return nullptr;
    }
    add(plan->networks.front(), costs.get());
    others_.push_back(std::move(plan));
    return others_.back().get();
}

bool PlanningAgain::was_planned(const PlannedNetwork &network) const {
    return are_planned_alike(network, first_.networks.front()) ||
           std::any_of(others_.begin(), others_.end(), [&](const auto &plan) {
               return are_planned_alike(network, plan->networks.front());
           });
}

}  // namespace emulsion
