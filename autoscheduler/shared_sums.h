// Names of the loops of a sum that threads share: its loop `r` becomes `r_steps`, of each thread, and `which`, the part that one computes.
#pragma once

#include <optional>
#include <string>

namespace emulsion {

inline constexpr const char *kPartLoop = "which";
inline constexpr const char *kStepsLoop = "_steps";

inline std::string steps_of(const std::string &loop) { return loop + kStepsLoop; }

// The loop whose steps `steps` are, or nothing.
inline std::optional<std::string> loop_of_steps(const std::string &steps) {
    const std::string end = kStepsLoop;
    return steps.ends_with(end) ? std::make_optional(steps.substr(0, steps.size() - end.size()))
                                : std::nullopt;
}

}  // namespace emulsion
