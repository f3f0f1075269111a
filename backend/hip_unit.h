// A unit as code for AMD GPUs.
#pragma once

#include <string>

#include "backend/amdgpu/module.h"
#include "frontend/lower/lower_unit.h"

namespace emulsion {

struct HipUnit {
    LoweredUnit lowered;
    HipModule hip;  // with a module, and no findings but perhaps spilled scalar registers
    // How often the loop nests were made smaller, until registers and LDS were enough for the kernels.
    int shrinks = 0;
};

// For the unit's chips; `name` is the function's. Kernels that need more registers or LDS than a chip has are
// compiled with smaller loop nests until they don't; where only scalar registers are spilled, a few smaller ones
// are tried, and this one stands if all of them have findings. Throws Error where there is none, and for kernels that
// are not what their launches take them for.
HipUnit make_hip_unit(const Unit &unit, const std::string &name, const DeviceCompiler &compiler);

}  // namespace emulsion
