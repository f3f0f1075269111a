#include "runtime/hip/driver.h"

#include <cstdio>
#include <cstring>

#include "runtime/hip/api.h"
#include "runtime/hip/code.h"

namespace emulsion::runtime::gpu {

namespace {

// Written once, when the device is opened, before anything reads it.
HipApi api;
char chip[sizeof DeviceFacts::chip];

bool find_library(Message *why) { return load_hip(&api, why); }

bool open(DeviceFacts *facts, Message *why) {
    if (!start_hip(api, why)) {
        return false;
    }
    // As version 5 has it; version 6 still fills it in under this name, its headers call another.
    hipDeviceProp_t properties;
    std::memset(&properties, 0, sizeof properties);
    if (!succeeded(api, api.hipGetDeviceProperties(&properties, 0), "hipGetDeviceProperties",
                   why)) {
        return false;
    }
    if (std::strncmp(properties.gcnArchName, "gfx", 3) != 0) {
        return why->set(
            "HIP: the GPU's architecture is not known; use a version of ROCm from 4 to 6");
    }
    // "gfx90a:sramecc+:xnack-": the bundle has the first part.
    const size_t end = strcspn(properties.gcnArchName, ":");
    const size_t length = end < sizeof chip ? end : sizeof chip - 1;
    std::memcpy(chip, properties.gcnArchName, length);
    chip[length] = '\0';
    std::memcpy(facts->chip, chip, sizeof chip);
    facts->memory_bytes = properties.totalGlobalMem;
    facts->major = properties.major;
    facts->minor = properties.minor;
    return true;
}

bool allocate(size_t bytes, void **memory, Message *why) {
    const hipError_t error = api.hipMalloc(memory, bytes);
    char call[64];
    std::snprintf(call, sizeof call, "hipMalloc of %zu bytes", bytes);
    return succeeded(api, error, call, why);
}

// hipFree waits for the whole device.
bool release(void *memory, Message *why) {
    return succeeded(api, api.hipFree(memory), "hipFree", why);
}

hipMemcpyKind kind_of(Direction direction) {
    switch (direction) {
    case Direction::kHostToDevice: return hipMemcpyHostToDevice;
    case Direction::kDeviceToHost: return hipMemcpyDeviceToHost;
    case Direction::kDeviceToDevice: return hipMemcpyDeviceToDevice;
    default: return hipMemcpyHostToHost;
    }
}

bool copy(void *to, const void *from, size_t bytes, Direction direction, Stream stream,
          Message *why) {
    return succeeded(
        api,
        api.hipMemcpyAsync(to, from, bytes, kind_of(direction), static_cast<hipStream_t>(stream)),
        "hipMemcpyAsync", why);
}

bool copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
               size_t rows, Direction direction, Stream stream, Message *why) {
    return succeeded(api,
                     api.hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows,
                                          kind_of(direction), static_cast<hipStream_t>(stream)),
                     "hipMemcpy2DAsync", why);
}

bool fill(void *memory, uint8_t value, size_t bytes, Stream stream, Message *why) {
    return succeeded(api,
                     api.hipMemsetAsync(memory, value, bytes, static_cast<hipStream_t>(stream)),
                     "hipMemsetAsync", why);
}

bool load(const char *source, size_t bytes, void **module, Message *why) {
    return load_bundle(api, chip, source, bytes, module, why);
}

void unload(void *module) { unload_bundle(api, module); }

bool find_kernel(void *module, const char *name, void **kernel, Message *why) {
    return find_hip_kernel(api, module, name, kernel, why);
}

bool launch(void *kernel, const char *name, const Launch &launch, Stream stream, Message *why) {
    return launch_hip_kernel(api, kernel, name, launch, stream, why);
}

bool create_stream(Stream *stream, Message *why) {
    hipStream_t created = nullptr;
    if (!succeeded(api, api.hipStreamCreateWithFlags(&created, hipStreamNonBlocking),
                   "hipStreamCreateWithFlags", why)) {
        return false;
    }
    *stream = created;
    return true;
}

// HIP doesn't promise that destroying waits.
bool destroy_stream(Stream stream, Message *why) {
    return succeeded(api, api.hipStreamSynchronize(static_cast<hipStream_t>(stream)),
                     "hipStreamSynchronize", why) &&
           succeeded(api, api.hipStreamDestroy(static_cast<hipStream_t>(stream)),
                     "hipStreamDestroy", why);
}

bool synchronize(Stream stream, Message *why) {
    return succeeded(api, api.hipStreamSynchronize(static_cast<hipStream_t>(stream)),
                     "hipStreamSynchronize", why);
}

}  // namespace

constinit const Driver kHipDriver = {
    .name = "HIP",
    .find_library = find_library,
    .open = open,
    .allocate = allocate,
    .release = release,
    .copy = copy,
    .copy_rows = copy_rows,
    .fill = fill,
    .load = load,
    .unload = unload,
    .find_kernel = find_kernel,
    .drop_kernel = drop_hip_kernel,
    .launch = launch,
    .create_stream = create_stream,
    .destroy_stream = destroy_stream,
    .synchronize = synchronize,
};

}  // namespace emulsion::runtime::gpu
