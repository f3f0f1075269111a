// Complete programs of a task, drawn at random and changed at random (Ansor, OSDI 2020, sections 4.2 and 5.1).
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tuner/ansor/roles.h"
#include "tuner/ansor/sketches.h"
#include "tuner/grid_points.h"

namespace emulsion {

// What a mutation changes, and how often it is tried: its weight over those of all that a task has parameters for.
struct Mutation {
    std::string name;
    ParameterRole role;
    double weight = 0.0;
};

// As the paper's for CPUs (its code).
const std::vector<Mutation> &mutations();

struct MutatedProgram {
    GridPoint point;
    const Mutation *mutation = nullptr;
};

class Programs {
public:
    // Of points that outlive this.
    explicit Programs(const GridPoints &points);

    const Sketches &sketches() const { return sketches_; }
    // A sketch, drawn at random, with random values for all that it leaves open. Always valid: where what a sketch has decided
    // can't be with the values that others have, it stays as it is planned.
    GridPoint draw(std::mt19937_64 &engine) const;
    // A valid point that differs from this one; none where some tries have found no other.
    std::optional<MutatedProgram> mutate(const GridPoint &point, std::mt19937_64 &engine) const;

private:
    bool set_if_valid(GridPoint &point, size_t parameter, size_t at) const;
    const Mutation &choose_mutation(std::mt19937_64 &engine) const;
    // Another value for the parameter; or, of sizes as often, a step up and for another one of the same stage a step down.
    bool change(GridPoint &point, size_t parameter, std::mt19937_64 &engine) const;
    bool exchange(GridPoint &point, size_t parameter, std::mt19937_64 &engine) const;

    const GridPoints &points_;
    const Sketches sketches_;
    GridPoint planned_;
    std::vector<size_t> order_;                     // in which parameters are filled in
    std::vector<std::vector<size_t>> of_mutation_;  // by mutation: parameters with several values
    double weight_ = 0.0;                           // of mutations that have any
};

}  // namespace emulsion
