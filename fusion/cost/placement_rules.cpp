#include "fusion/cost/placement_rules.h"

#include <algorithm>
#include <vector>

#include "fusion/cost/group_view.h"
#include "fusion/cost/tiles.h"

namespace emulsion {

namespace {

constexpr double kPanelShare = 0.5, kSharedPanelShare = 0.5;
constexpr double kWholeShare = 0.1;

// Values that are kept whole come before every panel.
std::string early_panel(const GroupView &group) {
    std::vector<bool> late(group.size());
    for (size_t i = 0; i < group.size(); i++) {
        for (const Operand &operand : group.choice(i).operands) {
            const int from = group.position(operand.value);
            if (from >= 0 &&
                (late[static_cast<size_t>(from)] || group.panel(static_cast<size_t>(from)))) {
                late[i] = true;
            }
        }
        if (late[i] && group.whole(i)) {
            return "'" + group.op(i).name + "' would be kept whole before the panels that it reads";
        }
    }
    return "";
}

std::string unfit_panel(const GroupView &group, const CpuMachine &machine) {
    if (!group.has_panels()) {
        return "";
    }
    if (std::string reason = no_place_for_panels(group); !reason.empty()) {
        return reason;
    }
    const auto tiles = group.tiles(1);
    for (size_t i = 0; i < group.size(); i++) {
        if (!group.panel(i)) {
            continue;
        }
        const NestSpace &own = group.anchor(group.stage(i)).nest;
        const std::vector<int> cut = group.cut_axes(i, tiles[i]);
        if (cut.empty()) {
            return "every panel would need all of '" + group.op(i).name + "'";
        }
        if (std::string reason = no_panel(group, i); !reason.empty()) {
            return reason;
        }
        for (const int axis : own.panels.whole_axes) {
            if (std::find(cut.begin(), cut.end(), axis) != cut.end()) {
                return "a panel would cut an axis along which '" + group.op(i).name +
                       "' computes tiles";
            }
        }
    }
    const double bytes = group.panel_bytes(tiles);
    if (bytes > most_shared_panel_bytes(machine)) {
        return "the smallest panel has " + std::to_string(static_cast<int64_t>(bytes)) +
               " bytes, which leaves no room in the caches";
    }
    return "";
}

std::string unfit_whole(const GroupView &group, const CpuMachine &machine) {
    double bytes = 0.0;
    for (size_t i = 0; i < group.size(); i++) {
        if (group.whole(i)) {
            bytes += group.elements(i) * group.result(i).element_bytes;
        }
    }
    if (bytes > most_whole_bytes(machine)) {
        return "values of " + std::to_string(static_cast<int64_t>(bytes)) +
               " bytes, kept whole, leave no room in the private cache";
    }
    return "";
}

}  // namespace

double most_panel_bytes(const CpuMachine &machine) {
    return kPanelShare * static_cast<double>(machine.l2_bytes);
}

double most_shared_panel_bytes(const CpuMachine &machine) {
    return std::max(most_panel_bytes(machine),
                    kSharedPanelShare * static_cast<double>(machine.l3_bytes) / machine.threads);
}

double most_whole_bytes(const CpuMachine &machine) {
    return kWholeShare * static_cast<double>(machine.l2_bytes);
}

std::string no_place_for_panels(const GroupView &group) {
    const NestSpace &nest = group.root_anchor().nest;
    return hosts_panels(group.result(group.root()), nest.panels) &&
                   !group.choice(group.root()).ends_in_sum
               ? ""
               : "loop nest '" + nest.template_name + "' has no rows to compute panels at";
}

std::string no_panel(const GroupView &group, size_t i) {
    const NestSpace &nest = group.anchor(group.stage(i)).nest;
    return nest.panels.is_panel && !group.choice(i).ends_in_sum
               ? ""
               : "loop nest '" + nest.template_name + "' can't compute a panel";
}

std::string misplaced_reduction(const GroupView &group) {
    std::vector<bool> with_loops(group.size());  // by stage
    std::vector<bool> follows(group.size());  // by position: the anchor or what is computed from it
    for (size_t i = 0; i < group.size(); i++) {
        const bool reduces = group.choice(i).reduces;
        if (reduces && with_loops[static_cast<size_t>(group.stage(i))]) {
            return "'" + group.op(i).name + "' needs a loop nest of its own";
        }
        if (reduces) {
            with_loops[static_cast<size_t>(group.stage(i))] = true;
        }
        for (const Operand &operand : group.choice(i).operands) {
            const int from = group.position(operand.value);
            if (from < 0) {
                continue;
            }
            const auto producer = static_cast<size_t>(from);
            const bool same_stage = !group.kept(producer);
            if (same_stage && follows[producer]) {
                if (reduces || group.stage(producer) != group.stage(i) ||
                    !reads_in_place(group.graph(), group.op(i), operand)) {
                    return "'" + group.op(i).name + "' can't follow the sums of '" +
                           group.op(producer).name + "' in one loop nest";
                }
                follows[i] = true;
            }
        }
        follows[i] = follows[i] || reduces;
    }
    return "";
}

std::string unplaceable_because(const OperatorGraph &graph, const PlacedGroup &placed,
                                const CpuMachine &machine) {
    const GroupView group(graph, placed);
    if (std::string reason = misplaced_reduction(group); !reason.empty()) {
        return reason;
    }
    if (std::string reason = early_panel(group); !reason.empty()) {
        return reason;
    }
    if (std::string reason = unfit_panel(group, machine); !reason.empty()) {
        return reason;
    }
    return unfit_whole(group, machine);
}

}  // namespace emulsion
