// What belongs to an open device. For this folder and the drivers only.
#pragma once

#include <atomic>

#include <HalideRuntime.h>

#include "runtime/gpu/device.h"
#include "runtime/gpu/modules.h"
#include "runtime/gpu/mutex.h"
#include "runtime/gpu/pool.h"

namespace emulsion::runtime::gpu {

enum class DeviceState { kUntried, kOpen, kNoLibrary, kFailed, kClosed };

// One static object for each driver, initialized at compile time.
struct Device {
    const Driver *driver;
    const halide_device_interface_t *interface;
    // The user's choice of a stream; returns a Halide error code.
    int (*get_stream)(void *user_context, void **stream);
    // Closes the device when the program or the library that has it ends.
    void (*at_exit)();

    std::atomic<DeviceState> state{DeviceState::kUntried};
    Mutex opening{};
    Message failure{};
    DeviceFacts facts{};
    Pool pool{};
    Modules modules{};
};

// From then on the driver isn't called any more.
void close_device(Device &device);

}  // namespace emulsion::runtime::gpu
