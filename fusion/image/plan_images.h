// A plan for a pipeline of images.
#pragma once

#include "fusion/image/decisions.h"
#include "fusion/image/image_graph.h"
#include "fusion/machine.h"
#include "fusion/plan.h"

namespace emulsion {

// Of what decide_images() decides, or of other decisions.
Plan plan_images(const ImageGraph &graph, const CpuMachine &machine);
Plan plan_images(const CpuMachine &machine, ImageDecisions decisions);

}  // namespace emulsion
