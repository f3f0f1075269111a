#include "tests/lower/nest_points.h"

#include "fusion/random_nest.h"

namespace emulsion::test {

const NestSpace &space_of(const PlannedNetwork &network, const PlannedMember &member) {
    for (const OperatorGraph *graph : {&network.operators, &network.copies}) {
        if (const int op = graph->index_of(member.op); op >= 0) {
            return graph->operators[static_cast<size_t>(op)].implementation.nest;
        }
    }
    throw std::logic_error("the network has no operator " + member.op);
}

void choose_other_nests(PlannedNetwork &network, std::mt19937_64 &engine) {
    size_t launch = 0;
    for (PlannedGroup &group : network.plan.groups) {
        if (group.kind == GroupKind::View) {
            continue;
        }
        Unit &unit = network.launches.at(launch++).unit;
        for (size_t i = 0; i < group.members.size(); i++) {
            PlannedMember &member = group.members[i];
            if (!member.nest.empty()) {
                member.nest = random_nest(space_of(network, member), member.nest, engine);
                unit.plan.groups.at(0).members.at(i).nest = member.nest;
            }
        }
    }
}

}  // namespace emulsion::test
