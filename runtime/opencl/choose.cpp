#include "runtime/opencl/choose.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace emulsion::runtime::gpu {

namespace {

// Of each kind; more are not looked at.
constexpr cl_uint kMaxPlatforms = 16;
constexpr cl_uint kMaxDevices = 16;

bool has_shared_memory(const OpenClApi &api, cl_device_id device) {
    cl_device_svm_capabilities capabilities = 0;
    return api.clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities,
                               &capabilities, nullptr) == CL_SUCCESS &&
           (capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0;
}

// Counts the devices of that type until one is good.
bool find(const OpenClApi &api, const cl_platform_id *platforms, cl_uint count, cl_device_type type,
          cl_device_id *device, cl_uint *seen) {
    for (cl_uint p = 0; p < count; p++) {
        cl_device_id devices[kMaxDevices];
        cl_uint devices_count = 0;
        if (api.clGetDeviceIDs(platforms[p], type, kMaxDevices, devices, &devices_count) !=
            CL_SUCCESS) {
            continue;
        }
        for (cl_uint d = 0; d < devices_count && d < kMaxDevices; d++) {
            (*seen)++;
            if (has_shared_memory(api, devices[d])) {
                *device = devices[d];
                return true;
            }
        }
    }
    return false;
}

// The standard fixes the form: "OpenCL 3.0 ...". Zeros if it is another.
void read_version(const char *version, DeviceFacts *facts) {
    constexpr size_t kPrefix = sizeof "OpenCL " - 1;
    char *end = nullptr;
    if (std::strncmp(version, "OpenCL ", kPrefix) == 0) {
        facts->major = static_cast<int>(std::strtol(version + kPrefix, &end, 10));
        facts->minor = *end == '.' ? static_cast<int>(std::strtol(end + 1, nullptr, 10)) : 0;
    }
}

}  // namespace

bool choose_opencl_device(const OpenClApi &api, cl_device_id *device, Message *why) {
    cl_platform_id platforms[kMaxPlatforms];
    cl_uint count = 0;
    if (!succeeded(api.clGetPlatformIDs(kMaxPlatforms, platforms, &count), "clGetPlatformIDs",
                   why)) {
        return false;
    }
    count = count < kMaxPlatforms ? count : kMaxPlatforms;
    cl_uint seen = 0;
    if (find(api, platforms, count, CL_DEVICE_TYPE_GPU, device, &seen) ||
        find(api, platforms, count, CL_DEVICE_TYPE_ALL, device, &seen)) {
        return true;
    }
    return why->set(seen == 0
                        ? "no OpenCL device can be used: there is none; install a driver for the "
                          "GPU, or the package pocl-opencl-icd (Debian)"
                        : "no OpenCL device can be used: none has shared virtual memory "
                          "(OpenCL 2.0); install a newer driver for the GPU");
}

bool describe_opencl_device(const OpenClApi &api, cl_device_id device, DeviceFacts *facts,
                            Message *why) {
    cl_ulong memory = 0;
    char name[256] = "";
    char version[256] = "";
    if (!succeeded(
            api.clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, nullptr),
            "clGetDeviceInfo", why) ||
        !succeeded(api.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr),
                   "clGetDeviceInfo", why) ||
        !succeeded(api.clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, nullptr),
                   "clGetDeviceInfo", why)) {
        return false;
    }
    std::snprintf(facts->chip, sizeof facts->chip, "%.*s", static_cast<int>(sizeof facts->chip) - 1,
                  name);
    facts->memory_bytes = static_cast<size_t>(memory);
    read_version(version, facts);
    return true;
}

}  // namespace emulsion::runtime::gpu
