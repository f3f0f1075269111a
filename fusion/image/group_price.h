// The time of a group of stages under the best of the shapes that its root can take.
#pragma once

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

// Sets the group's shape and cycles. Its members are panels or in registers; infinite cycles if
// no shape is legal.
void price_group(const ImageGraph &graph, const StagePlacements &placements,
                 const CpuMachine &machine, ImageGroup &group);

// What it costs to have a stage in memory, beside its arithmetic.
double storing_cycles(const ImageStage &stage, const CpuMachine &machine);

}  // namespace emulsion
