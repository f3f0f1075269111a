#include "tests/lower/nest_points.h"

#include "frontend/lower/set_nests.h"
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
    for (PlannedGroup &group : network.plan.groups) {
        for (PlannedMember &member : group.members) {
            if (!member.nest.empty()) {
                member.nest = random_nest(space_of(network, member), member.nest, engine);
            }
        }
    }
    follow_nests(network);
}

}  // namespace emulsion::test
