// Bundles that were loaded into HIP, and launches of their kernels.
#pragma once

#include "runtime/gpu/driver.h"
#include "runtime/hip/api.h"

namespace emulsion::runtime::gpu {

// The entries of Driver with these names.
bool load_bundle(const HipApi &api, const char *chip, const char *bundle, size_t bytes,
                 void **module, Message *why);
void unload_bundle(const HipApi &api, void *module);
bool find_hip_kernel(const HipApi &api, void *module, const char *name, void **kernel,
                     Message *why);
void drop_hip_kernel(void *kernel);
bool launch_hip_kernel(const HipApi &api, void *kernel, const char *name, const Launch &launch,
                       Stream stream, Message *why);

}  // namespace emulsion::runtime::gpu
