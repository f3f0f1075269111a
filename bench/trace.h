// Runs of networks, launch by launch: recorded, and written as a trace that Chrome
// (chrome://tracing) and Perfetto (ui.perfetto.dev) show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/json_file.h"
#include "bench/loaded_network.h"

namespace emulsion {

// A launch as the manifest describes it.
struct LaunchFacts {
    std::string label;  // operators in it
    std::string unit;
    int64_t bytes_read = 0, bytes_written = 0;
    double multiply_adds = 0.0;
};

// Times of one run, in seconds of one clock for all runs of a process.
struct RecordedRun {
    double start = 0.0, seconds = 0.0;
    std::vector<double> launch_start, launch_seconds;  // one per launch
    std::vector<double> fill_seconds;                  // of these, for halos
};

struct RecordedNetwork {
    std::string title;  // its policy
    std::vector<LaunchFacts> launches;
    std::vector<RecordedRun> runs;
};

// Throws Error (failed) unless every run has as many launches as the network.
void expect_whole_runs(const RecordedNetwork &network);

// Median time of a launch over all runs, in milliseconds.
double median_launch_ms(const std::vector<RecordedRun> &runs, size_t launch);

// The launches of a network, of the one that runs where there are two; figures that its manifest does not have are zero.
std::vector<LaunchFacts> launch_facts(const LoadedNetwork &network);

// Runs the network once and records it. `outputs` as run_observed has them.
RecordedRun record_run(Artifact &artifact, const std::vector<const void *> &inputs,
                       const std::vector<void *> &outputs);

// The trace: a process per network; in it one slice per run and one per launch of a run. `about` is
// added ("otherData"), with the keys of the schema: the format leaves no other place that all viewers accept.
std::string chrome_trace(const std::vector<RecordedNetwork> &networks, const Json &about);

}  // namespace emulsion
