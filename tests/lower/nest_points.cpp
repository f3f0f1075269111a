#include "tests/lower/nest_points.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace emulsion::test {

namespace {

// Any size is as likely as any other of its magnitude.
int64_t draw(const NestDomain &domain, std::mt19937_64 &engine) {
    if (engine() % 4 == 0) {
        return engine() % 2 == 0 ? domain.least : domain.at_most(domain.least + 1);
    }
    const double span = std::log2(static_cast<double>(domain.most - domain.least) + 1.0);
    const double part = std::generate_canonical<double, 30>(engine);
    return domain.at_most(domain.least + std::llround(std::exp2(span * part)) - 1);
}

}  // namespace

Nest random_nest(const NestSpace &space, const Nest &from, std::mt19937_64 &engine) {
    // Parameter by parameter, so that constraints on many of them are met.
    Nest nest = from;
    for (int round = 0; round < 2; round++) {
        for (const NestParameter &p : space.parameters) {
            for (int tries = 0; tries < 8; tries++) {
                Nest next = nest;
                next.parameters[p.name] = draw(p.domain, engine);
                if (p.is_optional && engine() % 4 != 0) {
                    next.parameters.erase(p.name);
                }
                if (space.is_valid(next).empty()) {
                    nest = next;
                    break;
                }
            }
        }
    }
    return nest;
}

Nest random_invalid_nest(const NestSpace &space, std::mt19937_64 &engine) {
    while (true) {
        Nest nest = space.preferred();
        const NestParameter &p = space.parameters.at(engine() % space.parameters.size());
        switch (engine() % 4) {
        case 0: nest.parameters.erase(p.name); break;
        case 1:
            nest.parameters[p.name] = p.domain.most + 1 + static_cast<int64_t>(engine() % 99);
            break;
        case 2:
            nest.parameters[p.name] = p.domain.least - 1 - static_cast<int64_t>(engine() % 99);
            break;
        default:
            for (const NestParameter &other : space.parameters) {
                nest.parameters[other.name] = draw(other.domain, engine);
            }
        }
        if (!space.is_valid(nest).empty()) {
            return nest;
        }
    }
}

const NestSpace &space_of(const PlannedNetwork &network, const PlannedMember &member) {
    for (const PlannerOperator &op : network.operators.operators) {
        if (op.name == member.op) {
            return op.implementation.nest;
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
