// What is tuned: the loop nest of one group of operators, for one target, number of threads and processor.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <vector>

#include "fusion/nest_space.h"
#include "fusion/point_facts.h"

namespace emulsion {

// Where measurements hold: they are never compared, nor used, across scopes.
struct TuningScope {
    std::string target;   // resolved Halide target
    int threads = 1;      // that the code was cut for and ran on
    std::string machine;  // fingerprint of the processor
    auto operator<=>(const TuningScope &) const = default;
};

struct TuningTask {
    std::string problem;  // problem_key of the group's unit: its code but for the loop nest
    TuningScope scope;
    std::string label;  // operators, for people
    int launches = 1;   // of such groups in a run of the network
    NestSpace space{};  // of valid nests; what the plan has fixed has a domain of one value
    Nest planned{};     // what the planner takes: a point of the space
    std::vector<Nest>
        suggested{};  // other points, which the machine suggests: the promising ones first
    double predicted_ms = 0.0;  // of one launch with that; 0: nobody knows
    // By parameter of the space, ascending: the only values that searches try (tuner/grid.h). Empty: they choose.
    std::vector<std::vector<int64_t>> tried{};
    std::shared_ptr<const PointFacts> facts{};  // what models learn from; null: nothing is known
};

}  // namespace emulsion
