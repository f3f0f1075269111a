#include "backend/gpu_runtime.h"

namespace emulsion {

std::optional<GpuRuntime> gpu_runtime(const PlannedNetwork &network) {
    if (!network.on_gpu) {
        return std::nullopt;
    }
    if (network.target == "host-opencl") {
        return GpuRuntime{"libemulsion_opencl.a", "emulsion_opencl", ""};
    }
    if (network.target == "host-cuda") {
        return GpuRuntime{"libemulsion_cuda.a", "emulsion_cuda", "-cuda"};
    }
    return GpuRuntime{"libemulsion_hip.a", "emulsion_hip", ""};
}

}  // namespace emulsion
