#include "bench/gpu_probe.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <vector>

namespace emulsion {

namespace {

// Closes nothing: drivers leave threads behind that need their code.
void *open_first(const std::vector<const char *> &names, std::string *opened) {
    for (const char *name : names) {
        if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
            *opened = name;
            return library;
        }
    }
    return nullptr;
}

template<typename Function>
Function *find(void *library, const char *name) {
    return reinterpret_cast<Function *>(dlsym(library, name));
}

}  // namespace

GpuProbe probe_hip() {
    GpuProbe probe{.missing = "'run' and 'bench' of AMD GPUs need libamdhip64.so",
                   .remedy = "apt install libamdhip64-5, or ROCm's hip-runtime-amd"};
    std::string name;
    void *library = open_first(
        {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}, &name);
    auto *count_devices =
        library == nullptr ? nullptr : find<int(int *)>(library, "hipGetDeviceCount");
    if (count_devices == nullptr) {
        return probe;
    }
    int count = 0;
    const int error = count_devices(&count);
    if (error != 0 || count == 0) {
        probe.missing = fmt::format("{} finds no AMD GPU (error {})", name, error);
        probe.remedy = "compile here, and run where there is one";
        return probe;
    }
    return {.works = true, .found = fmt::format("{}, {} device(s)", name, count)};
}

GpuProbe probe_opencl() {
    GpuProbe probe{
        .missing = "'run' and 'bench' with --target host-opencl need libOpenCL.so.1",
        .remedy = "apt install ocl-icd-libopencl1, and a driver (pocl-opencl-icd is one for CPUs)"};
    std::string name;
    void *library = open_first({"libOpenCL.so.1"}, &name);
    using Platforms = int(unsigned, void **, unsigned *);
    using Info = int(void *, unsigned, size_t, void *, size_t *);
    constexpr unsigned kPlatformName = 0x0902, kMostPlatforms = 16;
    auto *platforms = library == nullptr ? nullptr : find<Platforms>(library, "clGetPlatformIDs");
    auto *info = library == nullptr ? nullptr : find<Info>(library, "clGetPlatformInfo");
    if (platforms == nullptr || info == nullptr) {
        return probe;
    }
    void *ids[kMostPlatforms] = {};
    unsigned count = 0;
    if (platforms(kMostPlatforms, ids, &count) != 0 || count == 0) {
        probe.missing = name + " finds no driver";
        return probe;
    }
    probe = {.works = true, .found = name};
    for (unsigned i = 0; i < count && i < kMostPlatforms; i++) {
        char text[256] = {};
        if (info(ids[i], kPlatformName, sizeof text - 1, text, nullptr) == 0) {
            probe.found += fmt::format("{} {}", i == 0 ? ":" : ",", text);
        }
    }
    return probe;
}

}  // namespace emulsion
