// The OpenCL context and its queues.
#pragma once

#include "runtime/gpu/driver.h"
#include "runtime/opencl/api.h"

namespace emulsion::runtime::gpu {

// Written once, when the device is opened.
struct OpenClState {
    OpenClApi api;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;  // the null stream
    char build_options[128];
};

// NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is initialized by the compiler
extern constinit OpenClState opencl;

inline cl_command_queue queue_of(Stream stream) {
    return stream != nullptr ? static_cast<cl_command_queue>(stream) : opencl.queue;
}

}  // namespace emulsion::runtime::gpu
