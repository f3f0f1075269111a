// The AMD GPU for the functions of runtime/gpu/device.h.
#pragma once

#include "runtime/gpu/device.h"

namespace emulsion::runtime::gpu {

Device &hip_device();

// The stream of a network's kernels. Only where a network brings it (network.cpp): else null.
__attribute__((weak)) Stream hip_network_stream(void *user_context);

}  // namespace emulsion::runtime::gpu
