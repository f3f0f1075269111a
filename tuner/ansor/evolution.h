// Evolutionary search over complete programs under a model (Ansor, OSDI 2020, section 5.1). There is no crossover: the
// paper describes one, its code never had it.
#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tuner/ansor/programs.h"

namespace emulsion {

struct EvolutionOptions {
    size_t population = 2048;
    int generations = 4;
    double mutation = 0.85;  // probability that a program of the next generation is a mutated one
};

struct EvolvedProgram {
    GridPoint point;
    std::string
        origin;  // what it was made by last: a mutation's name, or as in the first population
    double score = 0.0;
};

// What a model says of programs: higher is better, and what is not above 0 is hardly ever chosen.
using Scores = std::function<std::vector<double>(const std::vector<GridPoint> &programs)>;

// The best programs of all generations, no two alike, for which `is_wanted`: at most so many, the best first.
std::vector<EvolvedProgram> evolve(const Programs &programs, std::vector<EvolvedProgram> population,
                                   const Scores &scores,
                                   const std::function<bool(const GridPoint &)> &is_wanted,
                                   size_t most, const EvolutionOptions &options,
                                   std::mt19937_64 &engine);

}  // namespace emulsion
