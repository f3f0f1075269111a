// One random pipeline, scheduled by Gao2025 and with every Func stored, in a process of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/graphs/forked.h"
#include "tests/pipelines/random_pipeline.h"

namespace emulsion::test {

struct PipelineLimits {
    // Of the processor.
    double scheduling_seconds = 5.0;
    double scheduling_bytes = 1 << 30;  // that the process grows by meanwhile
    double all_seconds = 300.0;
    bool runs = true;  // else it is scheduled and lowered
    int threads = 2;
};

// "right"; "unfit": Halide can't compute it with every Func stored either; or what is wrong: "refused", "failed" (Halide
// throws), "slow", "large", "differs", "crashed", "timed out".
struct PipelineOutcome {
    std::string outcome, text;
    int stages = 0;
    double scheduling_seconds = 0.0, scheduling_bytes = 0.0;
    std::map<std::string, int> kinds;
    bool is_finding() const { return outcome != "right" && outcome != "unfit"; }
};

// `plugin`: the path of libautoschedule_gao2025.so, which the process loads.
Forked start_pipeline_trial(uint64_t seed, const PipelineSize &size, const PipelineLimits &limits,
                            const std::string &plugin);
PipelineOutcome outcome_of(const ForkedEnd &end);

}  // namespace emulsion::test
