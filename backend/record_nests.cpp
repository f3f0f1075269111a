#include "backend/record_nests.h"

#include <cassert>

namespace emulsion {

void record_nests(PlannedNetwork &network, const BuiltUnits &built) {
    size_t launch = 0;
    for (PlannedGroup &group : network.plan.groups) {
        if (group.kind == GroupKind::View) {
            continue;
        }
        const Unit &unit = network.launches.at(launch++).unit;
        const auto outcome = built.units.find(unit_key(unit));
        if (outcome == built.units.end() || !outcome->second.shrunk) {
            continue;
        }
        const PlannedGroup &compiled = outcome->second.shrunk->groups.at(0);
        assert(compiled.members.size() == group.members.size());
        for (size_t i = 0; i < group.members.size(); i++) {
            group.members[i].nest = compiled.members[i].nest;
        }
    }
}

}  // namespace emulsion
