// The vectors that a stage is computed in.
#pragma once

#include <cstdint>

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"

namespace emulsion {

// Lanes for the widest value that the stage reads or writes; and as far as its columns fill them.
int64_t lanes_of_vector(const ImageStage &stage, const CpuMachine &machine);
int64_t vector_of(const ImageStage &stage, const CpuMachine &machine);

}  // namespace emulsion
