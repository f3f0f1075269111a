#include "bench/tuning/network_tasks.h"

#include <map>

#include "frontend/lower/problem_key.h"
#include "frontend/lower/tuned_nests.h"

namespace emulsion {

std::vector<TuningTask> tasks_of(const PlannedNetwork &network, int threads,
                                 const std::string &machine) {
    std::vector<TuningTask> tasks;
    std::map<std::string, size_t> known;  // by problem: position in `tasks`
    size_t launch = 0;
    for (const PlannedGroup &group : network.plan.groups) {
        if (group.kind == GroupKind::View) {
            continue;
        }
        const PlannedLaunch &own = network.launches[launch++];
        const PlannedMember *member =
            group.kind == GroupKind::Compute ? tunable_member(group) : nullptr;
        if (member == nullptr) {
            continue;
        }
        const auto op = static_cast<size_t>(network.operators.index_of(member->op));
        const NestSpace &space = network.operators.operators[op].implementation.nest;
        const std::string problem = problem_key(own.unit);
        if (const auto found = known.find(problem); found != known.end()) {
            tasks[found->second].launches++;
        } else if (space.is_valid(member->nest).empty()) {
            known[problem] = tasks.size();
            tasks.push_back({.problem = problem,
                             .scope = {own.unit.target, threads, machine},
                             .label = own.label,
                             .space = space,
                             .planned = member->nest,
                             .predicted_ms = network.machine.milliseconds(group.cycles)});
        }
    }
    return tasks;
}

}  // namespace emulsion
