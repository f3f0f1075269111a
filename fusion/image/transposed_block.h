// The blocks that a stage is computed in because it reads transposed.
#pragma once

#include <cstdint>

#include "fusion/image/stage_cost.h"
#include "fusion/machine.h"

namespace emulsion {

// Rows, and columns, of a block of a stage whose pure definition costs that; 0: there are none.
int64_t transposed_block(const ImageStage &stage, const DefinitionCost &cost,
                         const CpuMachine &machine);

}  // namespace emulsion
