#include "bench/calibration_verdict.h"

#include <cmath>

#include <fmt/format.h>

namespace emulsion {

namespace {

constexpr double kNoticeable = 0.01;  // errors are logarithms: about 1 %
constexpr double kFarOff = 0.4;       // about a factor of 1.5
constexpr size_t kFewGroups = 60;     // ten for each constant that is fitted

std::string factor(double error) { return fmt::format("{:.2f}", std::exp(error)); }

}  // namespace

CalibrationVerdict judge_calibration(size_t groups, const CalibrationErrors &before,
                                     const CalibrationErrors &after) {
    const double gain = before.groups + before.decisions - after.groups - after.decisions;
    CalibrationVerdict verdict;
    verdict.sentence =
        gain > kNoticeable
            ? fmt::format(
                  "The new constants are better: on the groups that were measured, predictions are off by a "
                  "factor of {} instead of {}.",
                  factor(after.groups), factor(before.groups))
            : fmt::format(
                  "The new constants are not better than those that the fit started from, whose predictions "
                  "are off by a factor of {}: there is no reason to use them.",
                  factor(before.groups));
    if (after.groups > before.groups + kNoticeable) {
        verdict.warnings.push_back(fmt::format(
            "the times of groups are predicted worse than before, by a factor of {} instead of {}",
            factor(after.groups), factor(before.groups)));
    }
    if (after.decisions > before.decisions + kNoticeable) {
        verdict.warnings.push_back(
            fmt::format("whether fusing pays is predicted worse than before, by a factor of {} "
                        "instead of {}: plans may get slower",
                        factor(after.decisions), factor(before.decisions)));
    }
    if (groups < kFewGroups) {
        verdict.warnings.push_back(fmt::format(
            "only {} groups were measured, which says little about other networks; give {} or more, from "
            "several networks and policies",
            groups, kFewGroups));
    }
    if (after.groups > kFarOff) {
        verdict.warnings.push_back(fmt::format(
            "predictions are still off by a factor of {}: was the machine busy with something else?",
            factor(after.groups)));
    }
    return verdict;
}

}  // namespace emulsion
