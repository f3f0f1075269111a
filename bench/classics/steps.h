// The steps of a measurement, each for a process of its own, so that one that takes too long, too much
// memory, or breaks, is listed and left out. Each returns what it found, for the process that waits.
#pragma once

#include <string>
#include <vector>

#include "bench/json_file.h"

namespace emulsion::classics {

struct BuildRequest {
    std::string pipeline, scheduler;
    int threads = 1;
    std::string library;  // path to write
    // Of the scheduler Gao2025: a file of decisions (fusion/image/decisions_json.h) to take instead of its own, and
    // one of the machine's constants. Empty: none.
    std::string decisions, machine;
    std::string tuned;       // of Gao2025, its parameter of that name, or empty
    std::string parameters;  // of the generator, as text_of(Parameters) has them
};

// glibc gives freed memory back, to be new pages when it is allocated again, or not, depending on what was freed before.
// From then on it is kept, as glibc does by itself once a block of 32 MB was freed.
void keep_freed_memory();

// Schedules and compiles; the schedule lies beside the library. {schedule_s, peak_mb: of the process
// until the schedule was made, compile_s}
Json build(const BuildRequest &request);

// Runs the library once and writes its results to a file. {run_ms}
Json write_results(const std::string &library, const std::string &file);

// Runs the library and compares with such a file. {run_ms, wrong: empty if nothing is}
Json check(const std::string &library, const std::string &file);

// Runs of all libraries in turns, for about `seconds`, none of which has new pages because of what another one freed.
// {times_ms: [library][run]}
Json measure(const std::vector<std::string> &libraries, double seconds);

}  // namespace emulsion::classics
