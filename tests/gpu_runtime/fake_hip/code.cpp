// The device itself, modules and launches.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/gpu_runtime/fake_hip/state.h"

using fake_hip::Function;
using fake_hip::Module;
using fake_hip::record;
using fake_hip::state;
using fake_hip::wanted_failure;
using fake_hip::wanted_on_device;
using Lock = std::lock_guard<std::recursive_mutex>;

namespace {

const char *text_or(const char *variable, const char *otherwise) {
    const char *text = std::getenv(variable);
    return text != nullptr ? text : otherwise;
}

std::string three(const char *name, unsigned int x, unsigned int y, unsigned int z) {
    return "\"" + std::string(name) + "\":[" + std::to_string(x) + "," + std::to_string(y) + "," +
           std::to_string(z) + "]";
}

// As HIP wants them: a pointer, a size, each after its tag.
bool read_arguments(void **extra, std::vector<unsigned char> *bytes) {
    if (extra == nullptr || extra[0] != HIP_LAUNCH_PARAM_BUFFER_POINTER ||
        extra[2] != HIP_LAUNCH_PARAM_BUFFER_SIZE || extra[4] != HIP_LAUNCH_PARAM_END) {
        return false;
    }
    const auto *begin = static_cast<const unsigned char *>(extra[1]);
    bytes->assign(begin, begin + *static_cast<const size_t *>(extra[3]));
    return true;
}

std::string hexadecimal(const std::vector<unsigned char> &bytes) {
    std::string text;
    for (unsigned char byte : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", byte);
        text += digits;
    }
    return text;
}

}  // namespace

extern "C" {

hipError_t hipInit(unsigned int) {
    const Lock lock(state().mutex);
    return record("hipInit", "", wanted_failure("hipInit"));
}

hipError_t hipGetDeviceCount(int *count) {
    const Lock lock(state().mutex);
    *count = static_cast<int>(std::strtol(text_or("EMULSION_FAKE_HIP_DEVICES", "1"), nullptr, 10));
    const hipError_t result = wanted_failure("hipGetDeviceCount");
    return record("hipGetDeviceCount", "",
                  result == hipSuccess && *count == 0 ? hipErrorNoDevice : result);
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int) {
    const Lock lock(state().mutex);
    const hipError_t result = wanted_failure("hipGetDeviceProperties");
    if (result == hipSuccess) {
        std::memset(properties, 0, sizeof *properties);
        std::snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "%s",
                      text_or("EMULSION_FAKE_HIP_CHIP", "gfx906:sramecc+:xnack-"));
        properties->totalGlobalMem =
            std::strtoull(text_or("EMULSION_FAKE_HIP_MEMORY", "1073741824"), nullptr, 0);
        properties->major = 9;
    }
    return record("hipGetDeviceProperties", "", result);
}

const char *hipGetErrorName(hipError_t error) {
    switch (error) {
    case hipSuccess: return "hipSuccess";
    case hipErrorInvalidValue: return "hipErrorInvalidValue";
    case hipErrorOutOfMemory: return "hipErrorOutOfMemory";
    case hipErrorInvalidPitchValue: return "hipErrorInvalidPitchValue";
    case hipErrorNoDevice: return "hipErrorNoDevice";
    case hipErrorInvalidDevice: return "hipErrorInvalidDevice";
    case hipErrorInvalidImage: return "hipErrorInvalidImage";
    case hipErrorNoBinaryForGpu: return "hipErrorNoBinaryForGpu";
    case hipErrorInvalidHandle: return "hipErrorInvalidHandle";
    case hipErrorNotFound: return "hipErrorNotFound";
    case hipErrorLaunchFailure: return "hipErrorLaunchFailure";
    default: return "hipErrorUnknown";
    }
}

// Takes whatever begins like an ELF file.
hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    const Lock lock(state().mutex);
    hipError_t result = wanted_on_device("hipModuleLoadData");
    if (result == hipSuccess && std::memcmp(image, "\177ELF", 4) != 0) {
        result = hipErrorInvalidImage;
    }
    if (result == hipSuccess) {
        auto *loaded = new Module;
        state().modules.insert(loaded);
        *module = reinterpret_cast<hipModule_t>(loaded);
    }
    return record("hipModuleLoadData", "", result);
}

hipError_t hipModuleUnload(hipModule_t module) {
    const Lock lock(state().mutex);
    auto *loaded = reinterpret_cast<Module *>(module);
    hipError_t result = wanted_on_device("hipModuleUnload");
    if (state().modules.count(loaded) == 0) {
        result = hipErrorInvalidHandle;
    }
    if (result == hipSuccess) {
        state().modules.erase(loaded);
        delete loaded;
    }
    return record("hipModuleUnload", "", result);
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
    const Lock lock(state().mutex);
    auto *loaded = reinterpret_cast<Module *>(module);
    hipError_t result = wanted_on_device("hipModuleGetFunction");
    if (state().modules.count(loaded) == 0) {
        result = hipErrorInvalidHandle;
    }
    if (result == hipSuccess) {
        *function = reinterpret_cast<hipFunction_t>(
            &loaded->functions.try_emplace(name, Function{name}).first->second);
    }
    return record("hipModuleGetFunction", "\"kernel\":\"" + std::string(name) + "\"", result);
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y,
                                 unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                 unsigned int block_z, unsigned int shared, hipStream_t stream,
                                 void **, void **extra) {
    const Lock lock(state().mutex);
    const std::string name = reinterpret_cast<Function *>(function)->name;
    std::vector<unsigned char> arguments;
    hipError_t result = wanted_on_device("hipModuleLaunchKernel");
    if (!read_arguments(extra, &arguments) || state().streams.count(stream) == 0 ||
        grid_x * grid_y * grid_z * block_x * block_y * block_z == 0) {
        result = hipErrorInvalidValue;
    }
    if (result == hipSuccess) {
        state().work[stream].emplace_back([name, arguments] {
            const auto kernel = state().kernels.find(name);
            if (kernel != state().kernels.end()) {
                kernel->second.first(arguments.data(), arguments.size(), kernel->second.second);
            }
        });
    }
    return record("hipModuleLaunchKernel",
                  "\"kernel\":\"" + name + "\"," + three("grid", grid_x, grid_y, grid_z) + "," +
                      three("block", block_x, block_y, block_z) +
                      ",\"shared\":" + std::to_string(shared) +
                      ",\"stream\":" + std::to_string(reinterpret_cast<uintptr_t>(stream)) +
                      ",\"arguments\":\"" + hexadecimal(arguments) + "\"",
                  result);
}
}
