#include "backend/hip_unit.h"

#include <optional>

#include "frontend/lower/smaller_unit.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

// Smaller loop nests than one that spills only scalar registers, which costs less than tiles that are much
// smaller than planned.
constexpr int kTriesForScalars = 3;

// Throws Error where something else is wrong with the kernels than a smaller loop nest could mend.
void refuse_mistakes(const HipModule &hip) {
    for (const ChipCode &chip : hip.chips) {
        for (const Finding &finding : chip.findings) {
            if (!smaller_schedule_helps(finding.kind)) {
                throw failure(describe(finding, chip.chip));
            }
        }
    }
}

// The first finding that the kernels don't run with, or "".
std::string obstacle(const HipModule &hip) {
    for (const ChipCode &chip : hip.chips) {
        for (const Finding &finding : chip.findings) {
            if (!runs_nevertheless(finding.kind)) {
                return describe(finding, chip.chip);
            }
        }
    }
    return "";
}

}  // namespace

HipUnit make_hip_unit(const Unit &unit, const std::string &name, const DeviceCompiler &compiler) {
    std::optional<HipUnit> spare;  // the first that runs, if not as fast as it could
    int more_tries = kTriesForScalars;
    Unit current = unit;
    for (int shrinks = 0;; shrinks++) {
        LoweredUnit lowered = lower_unit(current, name);
        HipModule hip = rewrite_for_hip(lowered.module, unit.chips, {.compiler = &compiler});
        HipUnit made{std::move(lowered), std::move(hip), shrinks};
        made.shrinks += made.lowered.shrinks;
        refuse_mistakes(made.hip);
        if (!made.hip.has_findings()) {
            return made;
        }
        const std::string problem = obstacle(made.hip);
        if (problem.empty() && !spare) {
            spare = std::move(made);
        }
        const auto smaller = smaller_unit(current);
        if (spare && (!smaller || more_tries-- == 0)) {
            return std::move(*spare);
        }
        if (!smaller) {
            throw failure(problem + ", but its loop nest can't be made smaller");
        }
        current = *smaller;
    }
}

}  // namespace emulsion
