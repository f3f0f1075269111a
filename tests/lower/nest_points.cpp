#include "tests/lower/nest_points.h"

#include <stdexcept>

#include "fusion/random_nest.h"

namespace emulsion::test {

namespace {

// A thread's tile with its iterations, for which a window may be unrolled as well. The spaces of GPU nests don't know
// how large that is, and nine taps of a tile of fifty elements can take Halide a minute.
constexpr int64_t kMostBesideWindow = 16;

bool unrolls_too_much(const Nest &nest) {
    const auto window = nest.parameters.find("unroll_window");
    if (window == nest.parameters.end() || window->second == 0) {
        return false;
    }
    int64_t operations = 1;
    for (const auto &[name, value] : nest.parameters) {
        operations *= name.starts_with("tile") || name == "unroll" ? value : 1;
    }
    return operations > kMostBesideWindow;
}

Nest draw_nest(const NestSpace &space, const Nest &planned, std::mt19937_64 &engine) {
    Nest nest = random_nest(space, planned, engine);
    while (unrolls_too_much(nest)) {
        nest = random_nest(space, planned, engine);
    }
    return nest;
}

}  // namespace

const NestSpace &space_of(const PlannedNetwork &network, const PlannedMember &member) {
    for (const OperatorGraph *graph : {&network.operators, &network.copies}) {
        for (const PlannerOperator &op : graph->operators) {
            if (op.name == member.op) {
                return op.implementation.nest;
            }
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
                member.nest = draw_nest(space_of(network, member), member.nest, engine);
                unit.plan.groups.at(0).members.at(i).nest = member.nest;
            }
        }
    }
}

}  // namespace emulsion::test
