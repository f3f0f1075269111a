// What a machine does at most: multiply-adds in registers, and reading by a plain loop, from buffers of several sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/json_file.h"

namespace emulsion {

struct MachineLimits {
    struct Reading {
        int64_t bytes = 0;  // of a buffer that is read again and again
        double bytes_per_second = 0.0;
    };
    std::string target;                  // the Halide target whose instructions were used
    int threads = 1;                     // that computed and read, all at once
    double operations_per_second = 0.0;  // multiplications and additions of f32
    std::vector<Reading> reading;        // ascending

    // Of the smallest of these buffers that is as large, or the largest.
    double bytes_per_second(double bytes) const;
};

// The best of many runs, `seconds` long for each figure. `target` runs here.
MachineLimits measure_limits(const std::string &target, int threads, double seconds);

// As in a file of the schema emulsion-limits, and back. `place` is what messages call the file; throws Error (refused)
// where something is missing.
Json to_json(const MachineLimits &limits);
MachineLimits limits_from_json(const Json &json, const std::string &place);

}  // namespace emulsion
