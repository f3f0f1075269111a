#include "backend/gpu_runtime.h"

#include <fmt/format.h>

#include "backend/files.h"
#include "frontend/lower/target.h"
#include "fusion/error.h"

namespace emulsion {

std::optional<GpuRuntime> gpu_runtime(const std::string &target) {
    if (!target_choice(target).on_gpu) {
        return std::nullopt;
    }
    if (target == "host-opencl") {
        return GpuRuntime{"libemulsion_opencl.a", "emulsion_opencl", "", "ocl-icd-opencl-dev"};
    }
    if (target == "host-cuda") {
        return GpuRuntime{"libemulsion_cuda.a", "emulsion_cuda", "-cuda", ""};
    }
    return GpuRuntime{"libemulsion_hip.a", "emulsion_hip", "", "libamdhip64-dev"};
}

std::filesystem::path archive_file(const GpuRuntime &gpu) {
    try {
        return library_file(gpu.archive);
    } catch (const Error &error) {
        if (gpu.package.empty()) {
            throw;
        }
        throw failure(fmt::format("isn't there: this Emulsion was built without the package {}; "
                                  "install it and build Emulsion again",
                                  gpu.package),
                      error.place());
    }
}

}  // namespace emulsion
