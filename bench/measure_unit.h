// How long units take by themselves. Before every run that counts the caches are as in the network: what the unit
// reads of other units is warm, and as many bytes have passed through them since the unit's last run as the network
// has of other weights.
#pragma once

#include <string>
#include <vector>

#include "backend/compiler.h"
#include "bench/json_file.h"
#include "frontend/lower/network.h"

namespace emulsion {

class Progress;

struct UnitTimes {
    int launch = 0;
    std::string label;
    std::string problem, unit;  // problem_key, unit_key
    std::vector<double> ms;     // of single runs
    bool shrunk = false;        // built with smaller loop nests than planned
    double network_ms = 0.0;    // median of the launch in the network, if it was measured; else 0
};

struct UnitMeasuring {
    int runs = 20;     // of every unit in a sitting
    int sittings = 3;  // each with other memory, and the units in another order
    uint64_t seed = 1;
};

// One for each distinct unit, in the order of their first launches. Throws Error.
std::vector<UnitTimes> measure_units(const PlannedNetwork &network, const CompileOptions &options,
                                     const UnitMeasuring &measuring, Progress &progress);

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
