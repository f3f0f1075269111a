#include "backend/hip_unit.h"

#include <algorithm>
#include <optional>

#include "autoscheduler/templates/template.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

// The unit with smaller loop nests, all of them: a kernel doesn't say which of them its registers are for.
std::optional<Unit> smaller_unit(const Unit &unit) {
    Unit smaller = unit;
    bool any = false;
    for (PlannedMember &member : smaller.plan.groups.at(0).members) {
        if (member.nest.empty()) {
            continue;
        }
        const NestTemplate &made_by = find_template(member.nest.template_name);
        if (const auto nest = made_by.smaller ? made_by.smaller(member.nest) : std::nullopt) {
            member.nest = *nest;
            any = true;
        }
    }
    return any ? std::optional(smaller) : std::nullopt;
}

// What a smaller loop nest could mend; throws Error for anything else that is wrong with the kernels.
bool needs_smaller(const HipModule &hip) {
    bool needs = false;
    for (const ChipCode &chip : hip.chips) {
        for (const Finding &finding : chip.findings) {
            if (!smaller_schedule_helps(finding.kind)) {
                throw failure("kernel '" + finding.kernel + "' for " + chip.chip + ": " +
                              finding.sentence);
            }
            needs = true;
        }
    }
    return needs;
}

// Spilled scalar registers alone, which go to lanes of vector registers: slower, but not through memory.
bool runs_nevertheless(const HipModule &hip) {
    return hip.module && std::all_of(hip.chips.begin(), hip.chips.end(), [](const ChipCode &chip) {
               const bool only_spills = std::all_of(
                   chip.findings.begin(), chip.findings.end(),
                   [](const Finding &finding) { return finding.kind == FindingKind::Spill; });
               return only_spills &&
                      std::all_of(chip.object.kernels.begin(), chip.object.kernels.end(),
                                  [](const KernelCode &kernel) {
                                      return kernel.vgpr_spills == 0 && kernel.private_bytes == 0;
                                  });
           });
}

std::string first_finding(const HipModule &hip) {
    for (const ChipCode &chip : hip.chips) {
        for (const Finding &finding : chip.findings) {
            return "kernel '" + finding.kernel + "' for " + chip.chip + ": " + finding.sentence;
        }
    }
    return "";
}

}  // namespace

HipUnit make_hip_unit(const Unit &unit, const std::string &name, const DeviceCompiler &compiler) {
    const HipOptions options{.compiler = &compiler};
    LoweredUnit lowered = lower_unit(unit, name);
    HipModule hip = rewrite_for_hip(lowered.module, unit.chips, options);
    HipUnit made{std::move(lowered), std::move(hip)};
    for (Unit current = unit; needs_smaller(made.hip); made.shrinks++) {
        const auto smaller = smaller_unit(current);
        if (!smaller && runs_nevertheless(made.hip)) {
            break;
        }
        if (!smaller) {
            throw failure(first_finding(made.hip) + ", and its loop nest can't be made smaller");
        }
        current = *smaller;
        made.lowered = lower_unit(current, name);
        made.hip = rewrite_for_hip(made.lowered.module, unit.chips, options);
    }
    return made;
}

}  // namespace emulsion
