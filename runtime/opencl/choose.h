// Which of the machine's OpenCL devices is used.
#pragma once

#include "runtime/gpu/driver.h"
#include "runtime/opencl/api.h"

namespace emulsion::runtime::gpu {

// The first GPU of all platforms with shared virtual memory, else the first other device that has it.
bool choose_opencl_device(const OpenClApi &api, cl_device_id *device, Message *why);

bool describe_opencl_device(const OpenClApi &api, cl_device_id device, DeviceFacts *facts,
                            Message *why);

}  // namespace emulsion::runtime::gpu
