// Runs a step (steps.h) in a process of its own, under limits of time and memory.
#pragma once

#include <string>
#include <vector>

#include "bench/json_file.h"

namespace emulsion::classics {

struct StepLimits {
    int seconds = 120;
    int gigabytes = 8;
};

// `classics STEP ...`. Returns why it failed, or nothing and its answer. What it writes and prints lies beside `file`.
std::string run_step(const StepLimits &limits, const std::string &file,
                     const std::vector<std::string> &arguments, Json &answer);

}  // namespace emulsion::classics
