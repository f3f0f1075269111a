#include "fusion/cost/nest_price.h"

#include <algorithm>
#include <vector>

#include "fusion/cost/placements.h"

namespace emulsion {

namespace {

void lay_out_as_read(OperatorGraph &graph, const Plan &plan, const PlannedGroup &group) {
    std::vector<int> values = group.inputs;
    values.push_back(group.output);
    for (const int v : values) {
        const PlannedValue &planned = plan.values[static_cast<size_t>(v)];
        const auto value =
            std::find_if(graph.values.begin(), graph.values.end(),
                         [&](const Value &each) { return each.name == planned.name; });
        if (value != graph.values.end()) {
            value->order = planned.layout.order;
        }
    }
}

}  // namespace

GroupPrice price_with_nests(const OperatorGraph &graph, const Plan &plan, const PlannedGroup &group,
                            const std::map<std::string, Nest> &nests, const Machine &machine) {
    OperatorGraph chosen = graph;
    lay_out_as_read(chosen, plan, group);
    std::vector<int> members;
    for (const PlannedMember &member : group.members) {
        members.push_back(chosen.index_of(member.op));
        if (const auto nest = nests.find(member.op); nest != nests.end()) {
            NestSpace &space =
                chosen.operators[static_cast<size_t>(members.back())].implementation.nest;
            const NestPoint point{nest->second, space.estimate(nest->second, machine)};
            space.points = {point};
            space.single_rows = point;
            space.panels.serial.clear();  // the nest says whether it is
        }
    }
    return best_placement(chosen, members, machine);
}

}  // namespace emulsion
