#include "frontend/lower/smaller_unit.h"

#include "autoscheduler/templates/template.h"

namespace emulsion {

std::optional<Unit> smaller_unit(const Unit &unit) {
    Unit smaller = unit;
    bool any = false;
    for (PlannedGroup &group : smaller.plan.groups) {
        for (PlannedMember &member : group.members) {
            if (member.nest.empty()) {
                continue;
            }
            const NestTemplate &made_by = find_template(member.nest.template_name);
            if (const auto nest = made_by.smaller ? made_by.smaller(member.nest) : std::nullopt) {
                member.nest = *nest;
                any = true;
            }
        }
    }
    return any ? std::optional(smaller) : std::nullopt;
}

}  // namespace emulsion
