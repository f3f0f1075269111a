// Which launches of a network take its time.
#pragma once

#include <string>
#include <vector>

#include "bench/trace.h"

namespace emulsion {

struct ProfileRow {
    int launch = 0;  // position in the order of execution
    LaunchFacts facts;
    double median_ms = 0.0;  // over the recorded runs
    double share = 0.0;      // of the sum of the medians

    // 10^9 operations (two per multiply-add) and bytes per second; 0 where not known.
    double gflops() const;
    double gigabytes_per_second() const;
};

// A row per launch, the slowest first. Throws Error as expect_whole_runs() does.
std::vector<ProfileRow> profile(const RecordedNetwork &network);

// A table on stdout of the slowest `most` rows.
void print_profile(const std::string &title, const std::vector<ProfileRow> &rows, size_t most);

Json to_json(const std::vector<ProfileRow> &rows);

}  // namespace emulsion
