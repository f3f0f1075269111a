// Measured times of a plan's groups, beside the predicted ones.
#pragma once

#include <string>

#include "bench/explain/explanation.h"

namespace emulsion {

// Puts the times of a profile into `explained`, which has its target, policy and threads: `file` is what
// `bench --profile --json`, `measure --json`, `bench --trace` or `run --trace` have written; of a group that was run
// several times the median, in runs of the whole network. Throws Error, refused, for files of another kind, without
// times of groups, and of another plan: one whose groups have other code.
void add_measured_times(const std::string &file, Explanation &explained);

// The same of the file's text.
void add_measured_times(const std::string &text, const std::string &file, Explanation &explained);

}  // namespace emulsion
