// What this machine has for running kernels on a GPU: for `emulsion doctor`.
#pragma once

#include <string>

namespace emulsion {

struct GpuProbe {
    bool works = false;
    std::string found;    // what there is
    std::string missing;  // what there isn't, where nothing works
    std::string remedy;
};

// AMD GPUs, as artifacts for amdgpu-... find them.
GpuProbe probe_hip();
// Devices of OpenCL, as artifacts for host-opencl find them.
GpuProbe probe_opencl();

}  // namespace emulsion
