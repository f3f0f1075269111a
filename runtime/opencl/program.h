// Programs in OpenCL C, and launches of their kernels. The entries of Driver with these names.
#pragma once

#include "runtime/gpu/driver.h"

namespace emulsion::runtime::gpu {

// The source is text, whose last byte may be a 0.
bool build_program(const char *source, size_t bytes, void **module, Message *why);
void release_program(void *module);
bool find_opencl_kernel(void *module, const char *name, void **kernel, Message *why);
void drop_opencl_kernel(void *kernel);
// The kernel's last argument is the `__local` one that Halide gives to all.
bool launch_opencl_kernel(void *kernel, const char *name, const Launch &launch, Stream stream,
                          Message *why);

}  // namespace emulsion::runtime::gpu
