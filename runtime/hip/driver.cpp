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

// The only one that is used. A thread of the user's may have another current, which it keeps.
constexpr int kDevice = 0;

bool open(DeviceFacts *facts, Message *why) {
    if (!start_hip(api, why)) {
        return false;
    }
    // As the headers have both. Libraries of version 6 still fill in what headers of version 5 have, under
    // the name that the function has there.
    hipDeviceProp_t properties;
    std::memset(&properties, 0, sizeof properties);
    if (!succeeded(api, api.hipGetDeviceProperties(&properties, kDevice), "hipGetDeviceProperties",
                   why)) {
        return false;
    }
    if (std::strncmp(properties.gcnArchName, "gfx", 3) != 0) {
        return why->set("HIP: the GPU's architecture is not known; use another version of ROCm");
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

bool copy_rows(const Rows &rows, Direction direction, Stream stream, Message *why) {
    return succeeded(api,
                     api.hipMemcpy2DAsync(rows.to, rows.to_pitch, rows.from, rows.from_pitch,
                                          rows.width, rows.count, kind_of(direction),
                                          static_cast<hipStream_t>(stream)),
                     "hipMemcpy2DAsync", why);
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
    const hipError_t ended = api.hipStreamSynchronize(static_cast<hipStream_t>(stream));
    const hipError_t destroyed = api.hipStreamDestroy(static_cast<hipStream_t>(stream));
    return succeeded(api, ended, "hipStreamSynchronize", why) &&
           succeeded(api, destroyed, "hipStreamDestroy", why);
}

bool synchronize(Stream stream, Message *why) {
    return succeeded(api, api.hipStreamSynchronize(static_cast<hipStream_t>(stream)),
                     "hipStreamSynchronize", why);
}

// Makes the device the thread's current one while it lives. Where that can't be had, the calls it is for
// can't either.
class Current {
public:
    Current() {
        if (api.hipGetDevice(&before_) == hipSuccess && before_ != kDevice) {
            (void)api.hipSetDevice(kDevice);
        }
    }
    ~Current() {
        if (before_ != kDevice) {
            (void)api.hipSetDevice(before_);
        }
    }
    Current(const Current &) = delete;
    Current &operator=(const Current &) = delete;

private:
    int before_ = kDevice;
};

// An entry of the table that calls `function` there: allocations, the null stream, loads and launches are
// all the current device's.
template<auto function>
struct OnDevice;
template<typename R, typename... A, R (*function)(A...)>
struct OnDevice<function> {
    static R call(A... arguments) {
        const Current current;
        return function(arguments...);
    }
};

}  // namespace

constinit const Driver kHipDriver = {
    .name = "HIP",
    .find_library = find_library,
    .open = open,
    .allocate = OnDevice<allocate>::call,
    .release = OnDevice<release>::call,
    .copy = OnDevice<copy>::call,
    .copy_rows = OnDevice<copy_rows>::call,
    .load = OnDevice<load>::call,
    .unload = OnDevice<unload>::call,
    .find_kernel = OnDevice<find_kernel>::call,
    .drop_kernel = drop_hip_kernel,
    .launch = OnDevice<launch>::call,
    .create_stream = OnDevice<create_stream>::call,
    .destroy_stream = OnDevice<destroy_stream>::call,
    .synchronize = OnDevice<synchronize>::call,
};

}  // namespace emulsion::runtime::gpu
