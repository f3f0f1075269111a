// What becomes of a candidate.
#pragma once

#include <string>

#include "fusion/nest.h"

namespace emulsion {

enum class Outcome {
    Ok,
    Refused,          // by the template, when it was applied
    FailedToCompile,  // by Halide or LLVM, the time limit included
    TimedOut,         // it ran too long
    Crashed,
    Wrong,  // its output is not that of the planned nest
};

// "ok", "refused", "failed_to_compile", "timed_out", "crashed", "wrong"; and back, which throws Error for others.
std::string name_of(Outcome outcome);
Outcome outcome_from(const std::string &name);

// The ratio of what has not run, and of a search that has found nothing that runs, where figures and curves need one.
constexpr double kFailedRatio = 100.0;

struct Result {
    Nest nest;
    Outcome outcome = Outcome::Ok;
    double ratio = 0.0;    // of Ok: its time over that of the planned nest beside it
    double ms = 0.0;       // of Ok: of one call
    double seconds = 0.0;  // that compiling and measuring took
    std::string why;       // of all others: a sentence

    bool operator==(const Result &) const = default;
};

}  // namespace emulsion
