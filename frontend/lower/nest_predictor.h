// What picks loop nests for a planned network without anything having been measured of it (PlanOptions::predictor).
#pragma once

#include <string>

#include "frontend/lower/tuned_nests.h"

namespace emulsion {

class NestPredictor {
public:
    NestPredictor() = default;
    NestPredictor(const NestPredictor &) = delete;
    NestPredictor &operator=(const NestPredictor &) = delete;
    virtual ~NestPredictor() = default;

    // For groups of a network with the planner's nests; none for groups whose nests stay. Equal networks get the same.
    virtual TunedNests nests(const PlannedNetwork &network) const = 0;
    // Of all that its answers depend on, for manifests.
    virtual std::string hash() const = 0;
};

}  // namespace emulsion
