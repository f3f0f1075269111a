// OpenCL as a driver of runtime/gpu.
#pragma once

#include "runtime/gpu/driver.h"

namespace emulsion::runtime::gpu {

// NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is initialized by the compiler
extern constinit const Driver kOpenClDriver;

}  // namespace emulsion::runtime::gpu
