// The OpenCL device for the functions of runtime/gpu/device.h.
//
// Links in the place of Halide's own OpenCL runtime: it exports halide_opencl_device_interface and the
// three functions that generated code calls (HalideRuntimeOpenCL.h). Unlike there,
// halide_buffer_t::device is a plain address of shared virtual memory, and wrap_native takes such an
// address instead of a cl_mem. EMULSION_OPENCL_LIBRARY names another library than libOpenCL.so.1.
#pragma once

#include "runtime/gpu/device.h"

extern "C" {

// The stream (of create_stream(); null: the device's own) for all launches and copies of that user
// context. Weak: a program may define its own. An error it returns fails the call that asked.
int halide_opencl_get_stream(void *user_context, void **stream);
}

namespace emulsion::runtime::gpu {

Device &opencl_device();

// The stream of a network's kernels. Only where a network brings it (network.cpp): else null.
__attribute__((weak)) Stream opencl_network_stream(void *user_context);

}  // namespace emulsion::runtime::gpu
