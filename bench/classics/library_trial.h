// How long pipelines in libraries take beside each other, and whether they compute the same: in a process of its own,
// which one of them may crash or keep busy for ever.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuner/outcome.h"

namespace emulsion::classics {

struct LibraryTrial {
    uint64_t seed = 1;
    double least_timeout_seconds = 2.0;  // of one call
    double timeout_factor = 20.0;        // ... and over that of the first library
    // A library that isn't within so many times the first one's time after a few runs gets no more.
    int few = 4, some = 12;
    double few_within = 1.3, some_within = 1.05;
    // Runs of those that are left: for so many seconds in all, in these limits.
    double seconds = 2.5;
    int least = 16, most = 1000;
};

// One result for each library, with the nests left empty, the first one's among them: ratios are to it. Throws Error where
// that one itself fails, and where there is no process.
std::vector<Result> try_libraries(const std::vector<std::string> &libraries,
                                  const LibraryTrial &trial);

}  // namespace emulsion::classics
