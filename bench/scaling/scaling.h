// What a network gains from more threads, by the cost model and measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/json_file.h"
#include "frontend/lower/network.h"

namespace emulsion {

struct ScalingRow {
    int threads = 0, groups = 0;
    double predicted_ms = 0.0;
    // Of the time of all threads, what they spend on starting, and on waiting for those that have more to do or for
    // groups of one task: by the cost model.
    double idle_share = 0.0;
    std::optional<double> median_ms;  // where it was run
    std::string idlest;  // the group whose idle threads lose most time; "" where none does
};

// Of a network that is planned for `threads` threads of a CPU.
ScalingRow scaling_row(const PlannedNetwork &network, int threads);

struct Scaling {
    std::string model;
    std::vector<ScalingRow> rows;  // by threads, ascending
};

void print_scaling(const Scaling &scaling);
Json to_json(const Scaling &scaling);

}  // namespace emulsion
