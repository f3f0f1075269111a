#include "bench/tuning/network_tasks.h"

#include <map>

#include "frontend/lower/problem_key.h"
#include "fusion/group_facts.h"
#include "fusion/group_nests.h"
#include "tuner/grid.h"

namespace emulsion {

std::vector<TuningTask> tasks_of(const PlannedNetwork &network, int threads,
                                 const std::string &machine) {
    std::vector<TuningTask> tasks;
    std::map<std::string, size_t> known;  // by problem: position in `tasks`
    const std::vector<size_t> launched = network.launched_groups();
    for (size_t i = 0; i < launched.size(); i++) {
        const PlannedGroup &group = network.plan.groups[launched[i]];
        const PlannedLaunch &own = network.launches[i];
        const std::string problem = problem_key(own.unit);
        if (const auto found = known.find(problem); found != known.end()) {
            tasks[found->second].launches++;
            continue;
        }
        const OperatorGraph &operators = network.operators_of(group);
        TuningTask task{
            .problem = problem,
            .scope = {network.on_gpu ? network.target : own.unit.target, threads, machine},
            .label = own.label,
            .space = group_space(operators, group),
            .planned = group_nest(group),
            .suggested = suggested_nests(operators, group, network.machine),
            .predicted_ms = network.machine.milliseconds(group.cycles),
            .facts = group_facts(operators, group, network.machine)};
        if (Grid(task).size() > 1) {
            known[problem] = tasks.size();
            tasks.push_back(std::move(task));
        }
    }
    return tasks;
}

}  // namespace emulsion
