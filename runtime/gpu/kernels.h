// What Halide's generated code calls around its kernels. The exported functions of each driver, which
// have the names that the code knows, hand on to these.
#pragma once

#include "runtime/gpu/device.h"

namespace emulsion::runtime::gpu {

// Before the first launch of a pipeline's run. `state` is a variable of the pipeline's.
int initialize_kernels(Device &device, void *user_context, void **state, const char *source,
                       int bytes);
// After its last.
void finalize_kernels(Device &device, void *state);

// A launch without blocks is none.
int run_kernel(Device &device, void *user_context, void *state, const char *name,
               const Launch &launch);

}  // namespace emulsion::runtime::gpu
