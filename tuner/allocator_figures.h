// How soon allocators make whole networks fast, by replay of a record of their tasks.
#pragma once

#include <string>
#include <vector>

#include "tuner/geometric_interval.h"
#include "tuner/record.h"

namespace emulsion {

struct AllocatorOptions {
    std::vector<std::string> allocators;  // by name; none: all
    std::string strategy = "ansor";       // of the tasks
    std::string reference = "round_robin";
    int64_t trials_of_each = 64;  // for a session, times the number of its tasks
    int seeds = 5;
    size_t batch = 8;
};

struct AllocatorFigures {
    std::string name;
    // Recorded seconds until the network is within 5 % of the final sum of weighted times, the lower one of both allocators', of the
    // reference over those of this one: by network the geometric mean over seeds; and over all.
    std::vector<double> times_as_soon;
    GeometricInterval all;
};

// Nothing is known of planned nests: curves are of what was proposed. Equal arguments give equal figures. Throws Error for an unknown
// name, and a network without tasks.
std::vector<AllocatorFigures> allocator_figures(const std::vector<NetworkRecord> &networks,
                                                const AllocatorOptions &options);

struct ForecastFigures {
    size_t values = 0;       // that were forecast
    double covered = 0.0;    // the share that is in the interval which is to have 80 % of them
    double unchanged = 0.0;  // the share that is the value before
};

// How right DynaTune's belief is (tuner/learning_curve.h): of every task's curve, with round_robin, each value from the third on, by those before it.
ForecastFigures forecast_figures(const std::vector<NetworkRecord> &networks,
                                 const AllocatorOptions &options);

}  // namespace emulsion
