#include "frontend/lower/problem_key.h"

namespace emulsion {

std::string problem_key(const Unit &unit) {
    Unit problem = unit;
    for (PlannedGroup &group : problem.plan.groups) {
        for (PlannedMember &member : group.members) {
            member.nest = {};
        }
    }
    return "p" + unit_key(problem).substr(1);
}

}  // namespace emulsion
