#include "bench/tuning/planning_again.h"

#include <algorithm>

#include "frontend/lower/problem_key.h"
#include "fusion/cost/analytic_cost.h"

namespace emulsion {

std::vector<MeasuredGroup> measured_groups(const PlannedNetwork &network,
                                           const MeasuredTimes &times) {
    std::vector<MeasuredGroup> groups;
    const std::vector<size_t> launched = network.launched_groups();
    for (size_t i = 0; i < launched.size(); i++) {
        const PlannedGroup &group = network.plan.groups[launched[i]];
        const double ms = times(problem_key(network.launches[i].unit));
        if (group.kind == GroupKind::Compute && ms > 0.0) {
            groups.push_back({group_key(group), root_template(group),
                              ms / network.machine.milliseconds(1.0), group.cycles});
        }
    }
    return groups;
}

std::unique_ptr<PlannedModel> planned_again(const LoadedModel &model, const CompileOptions &options,
                                            const std::vector<MeasuredGroup> &groups) {
    CompileOptions measured = options;
    measured.plan.costs = std::make_shared<MeasuredCosts>(
        std::make_shared<AnalyticCosts>(machine_for(options.plan)), groups);
    return std::make_unique<PlannedModel>(planned_model(model, measured));
}

bool are_planned_alike(const PlannedNetwork &a, const PlannedNetwork &b) {
    return std::equal(a.plan.groups.begin(), a.plan.groups.end(), b.plan.groups.begin(),
                      b.plan.groups.end(), [](const PlannedGroup &one, const PlannedGroup &other) {
                          return one.kind == other.kind && group_key(one) == group_key(other);
                      });
}

}  // namespace emulsion
