// A tuner's predictor, as what picks loop nests when a network is planned.
#pragma once

#include <memory>

#include "frontend/lower/nest_predictor.h"
#include "tuner/predictor.h"

namespace emulsion {

// For networks that are planned for so many threads. Of targets that the predictor doesn't know, and with another number of threads, the
// planner's nests stay.
std::shared_ptr<const NestPredictor> predicted_nests(std::shared_ptr<const Predictor> predictor,
                                                     int threads);

}  // namespace emulsion
