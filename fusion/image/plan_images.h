// A plan for a pipeline of images.
#pragma once

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"
#include "fusion/plan.h"

namespace emulsion {

Plan plan_images(const ImageGraph &graph, const CpuMachine &machine);

}  // namespace emulsion
