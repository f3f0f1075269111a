// The autoschedulers that are measured, and what they are compared with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Halide.h>

#include "bench/classics/parameters.h"

namespace emulsion::classics {

// Schedules without a plugin. Plain: what Halide does when told nothing, all but outputs and updates
// inlined. Stored: every Func computed once, in serial loops; the reference where the plain schedule
// would compute pixels again and again for hours.
constexpr const char *kPlain = "plain";
constexpr const char *kStored = "stored";
// By hand (manual_schedule.h).
constexpr const char *kManual = "manual";

// Gao2025, with what was found by measuring.
constexpr const char *kTuned = "tuned";

// Gao2025 first, then its rivals.
const std::vector<std::string> &autoschedulers();

struct Scheduled {
    std::unique_ptr<Halide::Internal::AbstractGenerator> generator;
    Halide::Pipeline pipeline;
    double seconds = 0.0;  // of the autoscheduler
    std::string source;    // the schedule, if the autoscheduler tells it
};

// Builds the generator `pipeline` with the given parameters, without a schedule. Throws Error for unknown names.
Scheduled built(const std::string &pipeline, const Halide::Target &target,
                const Parameters &parameters = {});

// Schedules it; `parameters` are the autoscheduler's. Throws Halide's errors.
void autoschedule(Scheduled &built, const std::string &scheduler, const Halide::Target &target,
                  const Parameters &parameters);

// Both, for so many threads.
Scheduled schedule(const std::string &pipeline, const std::string &scheduler,
                   const Halide::Target &target, int threads, const Parameters &parameters = {});

}  // namespace emulsion::classics
