// Decides the stages of an image graph, from the outputs to the inputs, each for what is fastest under
// the prices of group_price.h.
#pragma once

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

ImageDecisions decide_images(const ImageGraph &graph, const CpuMachine &machine);

}  // namespace emulsion
