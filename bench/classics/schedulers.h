// The autoschedulers that are measured, and what they are compared with.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <Halide.h>

namespace emulsion::classics {

// Schedules without a plugin. Plain: what Halide does when told nothing, all but outputs and updates
// inlined. Stored: every Func computed once, in serial loops; the reference where the plain schedule
// would compute pixels again and again for hours.
constexpr const char *kPlain = "plain";
constexpr const char *kStored = "stored";
// By hand (manual_schedule.h).
constexpr const char *kManual = "manual";

// Gao2025 first, then its rivals.
const std::vector<std::string> &autoschedulers();

// Builds the generator `pipeline` with the given parameters and schedules it. Throws Error for unknown names, and Halide's errors.
struct Scheduled {
    std::unique_ptr<Halide::Internal::AbstractGenerator> generator;
    Halide::Pipeline pipeline;
    double seconds = 0.0;  // of the autoscheduler
    std::string source;    // the schedule, if the autoscheduler tells it
};
Scheduled schedule(const std::string &pipeline, const std::string &scheduler,
                   const Halide::Target &target, int threads,
                   const std::map<std::string, std::string> &parameters = {});

}  // namespace emulsion::classics
