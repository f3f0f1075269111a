// What belongs to an open device. For this folder and the drivers only.
#pragma once

#include <atomic>

#include <HalideRuntime.h>
#include <sys/types.h>

#include "runtime/gpu/device.h"
#include "runtime/gpu/modules.h"
#include "runtime/gpu/mutex.h"
#include "runtime/gpu/pool.h"

namespace emulsion::runtime::gpu {

// kInherited: a process that this one was forked from opened it. A driver doesn't survive that, and locks may
// be held by threads that don't exist here.
enum class DeviceState { kUntried, kOpen, kNoLibrary, kFailed, kClosed, kInherited };

// One static object for each driver, initialized at compile time.
struct Device {
    const Driver *driver;
    const halide_device_interface_t *interface;
    // The user's choice of a stream; returns a Halide error code.
    int (*get_stream)(void *user_context, void **stream);
    // Closes the device when the program or the library that has it ends.
    void (*at_exit)();

    std::atomic<DeviceState> state{DeviceState::kUntried};  // for state_of()
    std::atomic<pid_t> owner_process{0};                    // that opened it, or tries to
    Mutex opening{};
    Message failure{};
    DeviceFacts facts{};
    Pool pool{};
    Modules modules{};
};

// To be asked before any lock is taken or the driver is called.
DeviceState state_of(const Device &device);

// From then on the driver isn't called any more.
void close_device(Device &device);

// The stream that the user chose for that user context. Reports a failure, and returns its code.
int find_stream(const Device &device, void *user_context, Stream *stream);

}  // namespace emulsion::runtime::gpu
