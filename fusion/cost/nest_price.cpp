#include "fusion/cost/nest_price.h"

#include <vector>

#include "fusion/cost/placements.h"

namespace emulsion {

GroupPrice price_with_nests(OperatorGraph graph, const PlannedGroup &group,
                            const std::map<std::string, Nest> &nests, const Machine &machine) {
    std::vector<int> members;
    for (const PlannedMember &member : group.members) {
        members.push_back(graph.index_of(member.op));
        if (const auto nest = nests.find(member.op); nest != nests.end()) {
            NestSpace &space =
                graph.operators[static_cast<size_t>(members.back())].implementation.nest;
            const NestPoint point{nest->second, space.estimate(nest->second, machine)};
            space.points = {point};
            space.single_rows = point;
            space.panels.serial.clear();  // the nest says whether it is
        }
    }
    return best_placement(graph, members, machine);
}

}  // namespace emulsion
