#include "fusion/cost/nest_price.h"

#include <algorithm>
#include <vector>

#include "fusion/cost/placements.h"

namespace emulsion {

GroupPrice price_with_nests(OperatorGraph graph, const PlannedGroup &group,
                            const std::map<std::string, Nest> &nests, const Machine &machine) {
    std::vector<int> members;
    for (const PlannedMember &member : group.members) {
        const auto op =
            std::find_if(graph.operators.begin(), graph.operators.end(),
                         [&](const PlannerOperator &other) { return other.name == member.op; });
        members.push_back(static_cast<int>(op - graph.operators.begin()));
        if (const auto nest = nests.find(member.op); nest != nests.end()) {
            NestSpace &space = op->implementation.nest;
            const NestPoint point{nest->second, space.estimate(nest->second, machine)};
            space.points = {point};
            space.single_rows = point;
            space.panels.serial.clear();  // the nest says whether it is
        }
    }
    return best_placement(graph, members, machine);
}

}  // namespace emulsion
