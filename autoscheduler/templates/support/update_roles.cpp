#include "autoscheduler/templates/support/update_roles.h"

#include <algorithm>

namespace emulsion {

namespace {

bool has_constant_loops(const FuncFacts &facts) {
    return !facts.reduction.empty() &&
           std::all_of(facts.reduction.begin(), facts.reduction.end(),
                       [](const ReductionLoop &loop) { return loop.extent > 0; });
}

// The name of the variable that an update writes at along an axis, "" for any other expression.
std::string written_at(const FuncFacts &facts, size_t axis) {
    const auto *v = facts.written[axis].as<Halide::Internal::Variable>();
    return v == nullptr ? "" : v->name;
}

std::optional<UpdateRoles> scan_roles(const FuncFacts &facts) {
    UpdateRoles roles{.kind = UpdateKind::Scan};
    for (size_t axis = 0; axis < facts.args.size(); axis++) {
        if (written_at(facts, axis) == facts.args[axis]) {
            roles.free.push_back(static_cast<int>(axis));
        } else if (roles.scanned < 0) {
            roles.scanned = static_cast<int>(axis);
        } else {
            return std::nullopt;
        }
    }
    if (roles.free.empty() || roles.scanned < 0 || facts.reduction.size() != 1) {
        return std::nullopt;
    }
    return roles;
}

std::optional<UpdateRoles> scatter_roles(const FuncFacts &facts) {
    UpdateRoles roles{.kind = UpdateKind::Scatter};
    for (size_t axis = 0; axis < facts.args.size(); axis++) {
        const std::string at = written_at(facts, axis);
        const bool walked = std::any_of(facts.reduction.begin(), facts.reduction.end(),
                                        [&](const ReductionLoop &loop) { return loop.name == at; });
        const bool again =
            std::find(roles.loops.begin(), roles.loops.end(), at) != roles.loops.end();
        roles.loops.push_back(walked && !again ? at : "");
        if (walked && !again) {
            roles.free.push_back(static_cast<int>(axis));
        }
    }
    return roles.free.empty() ? std::nullopt : std::optional(roles);
}

}  // namespace

std::optional<UpdateRoles> update_roles(const FuncFacts &facts) {
    if (facts.updates != 1 || !has_constant_loops(facts)) {
        return std::nullopt;
    }
    if (facts.args.empty()) {
        return facts.adds_up ? std::optional(UpdateRoles()) : std::nullopt;
    }
    if (facts.reads_others) {
        return scan_roles(facts);
    }
    return facts.plain_update ? std::nullopt : scatter_roles(facts);
}

}  // namespace emulsion
