// How long units take by themselves, with caches as they are in the network: units take turns, so that between two runs
// of one all others read their weights, and before every run the threads of the pool copy what the unit reads of other
// units to where it reads it, in memory that units share as they share a network's arena.
#pragma once

#include <string>
#include <vector>

#include "backend/compiler.h"
#include "bench/json_file.h"
#include "frontend/lower/network.h"

namespace emulsion {

class Progress;
class WholeNetwork;

struct UnitTimes {
    int launch = 0;
    std::string label;
    std::string problem, unit;  // problem_key, unit_key
    std::vector<double> ms;     // of single runs
    bool shrunk = false;        // built with smaller loop nests than planned
    // Medians of its launches in the network, without halos, and of filling these; 0 where that was not measured.
    double network_ms = 0.0, fill_ms = 0.0;
};

struct UnitMeasuring {
    int runs = 20;     // of every unit in a sitting
    int sittings = 3;  // each with other memory, and the units in another order
    uint64_t seed = 1;
};

// One for each distinct unit, in the order of their first launches. `whole`, where there is one, runs as often as they
// do and in between, so that whatever slows the machine down for a while slows down both. The constants of `network`
// are computed (compute_constants). Throws Error.
std::vector<UnitTimes> measure_units(const PlannedNetwork &network, const CompileOptions &options,
                                     const UnitMeasuring &measuring, WholeNetwork *whole,
                                     Progress &progress);

// Of those that take `least_ms` or more in the network.
struct AloneAgreement {
    size_t groups = 0;
    double median_difference = 0.0;  // |alone - network| / network, of medians
    double spearman = 0.0;
};
AloneAgreement agreement(const std::vector<UnitTimes> &units, double least_ms);

// A table on stdout, and the same as JSON.
void print_units(const std::vector<UnitTimes> &units);
Json to_json(const std::vector<UnitTimes> &units);

}  // namespace emulsion
