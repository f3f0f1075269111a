// Decides the stages of an image graph, from the outputs to the inputs, each for what is fastest under
// the prices of group_price.h.
#pragma once

#include <map>
#include <string>

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

// Where stages are to be computed, by name. Those that can't be there are decided like all others.
using WantedPlacements = std::map<std::string, Placement>;

ImageDecisions decide_images(const ImageGraph &graph, const CpuMachine &machine,
                             const WantedPlacements &wanted = {});

}  // namespace emulsion
