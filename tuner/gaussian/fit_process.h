// Parameters of Gaussian processes that make data most likely.
#pragma once

#include <cstdint>

#include "tuner/gaussian/coregional_process.h"

namespace emulsion {

struct FitOptions {
    int latent = 0;  // processes; 0: as many as tasks, at most 3
    int starts = 3;
    int evaluations = 60;  // of the likelihood, from every start, at most
    uint64_t seed = 1;
};

struct ProcessFit {
    ProcessParameters parameters;
    double cost =
        0.0;  // the negative log likelihood, and what is expected of parameters before any data
};

// From one of the starts, which count from 0: the first one is a guess, the others are drawn. Equal arguments give equal fits, and fits
// know nothing of each other: they may be made in different processes. Throws Error where no parameters were found.
ProcessFit fit_from(const ProcessData &data, const FitOptions &options, int start);

// The cheapest of all starts; the first of equal ones.
ProcessParameters fit_process(const ProcessData &data, const FitOptions &options);

}  // namespace emulsion
