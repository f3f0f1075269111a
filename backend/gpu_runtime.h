// What an artifact holds beside its units for the GPU that runs it.
#pragma once

#include <optional>
#include <string>

#include "frontend/lower/network.h"

namespace emulsion {

struct GpuRuntime {
    std::string archive;  // of Emulsion's, beside the program (backend/files.h, library_file)
    std::string symbol;   // its EmulsionGpu (runtime/gpu/gpu.h)
    // What Halide's own runtime has to have, as features of a target; "" for none.
    std::string halide_features;
};

// Nothing for a network that a CPU runs.
std::optional<GpuRuntime> gpu_runtime(const PlannedNetwork &network);

}  // namespace emulsion
