#include "bench/calibration_verdict.h"

#include <cmath>

#include <fmt/format.h>

namespace emulsion {

namespace {

constexpr double kNoticeable = 0.01;  // errors are logarithms: about 1 %
constexpr double kFarOff = 0.4;       // about a factor of 1.5
constexpr size_t kFewSamples = 60;    // ten for each constant that is fitted

std::string factor(double error) { return fmt::format("{:.2f}", std::exp(error)); }

}  // namespace

CalibrationVerdict judge_calibration(size_t samples, const CalibrationErrors &before,
                                     const CalibrationErrors &after,
                                     const CalibrationSubject &subject) {
    const double gain = before.times + before.decisions - after.times - after.decisions;
    CalibrationVerdict verdict;
    verdict.sentence =
        gain > kNoticeable
            ? fmt::format(
                  "The new constants are better: on the {} that were measured, predictions are off by a "
                  "factor of {} instead of {}.",
                  subject.samples, factor(after.times), factor(before.times))
            : fmt::format(
                  "The new constants are not better than those that the fit started from, whose predictions "
                  "are off by a factor of {}: there is no reason to use them.",
                  factor(before.times));
    if (after.times > before.times + kNoticeable) {
        verdict.warnings.push_back(
            fmt::format("the times of {} are predicted worse than before, by a factor of {} "
                        "instead of {}",
                        subject.samples, factor(after.times), factor(before.times)));
    }
    if (after.decisions > before.decisions + kNoticeable) {
        verdict.warnings.push_back(fmt::format(
            "{} is predicted worse than before, by a factor of {} instead of {}: plans may get slower",
            subject.decisions, factor(after.decisions), factor(before.decisions)));
    }
    if (samples < kFewSamples) {
        verdict.warnings.push_back(fmt::format(
            "only {0} {1} were measured, which says little about other {2}; give {3} or more, from {4}",
            samples, subject.samples, subject.programs, kFewSamples, subject.sources));
    }
    if (after.times > kFarOff) {
        verdict.warnings.push_back(fmt::format(
            "predictions are still off by a factor of {}: was the machine busy with something else?",
            factor(after.times)));
    }
    return verdict;
}

}  // namespace emulsion
