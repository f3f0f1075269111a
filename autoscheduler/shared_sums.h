// Names of the loops of a sum that threads or lanes share: its loop `r` becomes `r_steps`, of each thread, and `which`, the
// part that one computes. Where tasks have shares of it, it becomes `shares` and `r_rest` before. Where many parts are
// folded to few, `which` becomes `which_steps` and `few`.
#pragma once

#include <optional>
#include <string>

namespace emulsion {

inline constexpr const char *kPartLoop = "which";
inline constexpr const char *kFewLoop = "few";
inline constexpr const char *kShareLoop = "shares";
inline constexpr const char *kStepsLoop = "_steps", *kRestLoop = "_rest";

inline std::string steps_of(const std::string &loop) { return loop + kStepsLoop; }
inline std::string rest_of(const std::string &loop) { return loop + kRestLoop; }

inline std::optional<std::string> without_end(const std::string &name, const std::string &end) {
    return name.ends_with(end) ? std::make_optional(name.substr(0, name.size() - end.size()))
                               : std::nullopt;
}

// The loop whose steps, or whose share, a loop is, or nothing.
inline std::optional<std::string> loop_of_steps(const std::string &steps) {
    return without_end(steps, kStepsLoop);
}
inline std::optional<std::string> loop_of_rest(const std::string &rest) {
    return without_end(rest, kRestLoop);
}

}  // namespace emulsion
