#include "runtime/gpu/device.h"

#include <cstdlib>

#include <unistd.h>

#include "runtime/gpu/device_state.h"

namespace emulsion::runtime::gpu {

namespace {

// The pool keeps this part of the device's memory at most: other programs want some too.
constexpr size_t kPoolPart = 4;

void try_to_open(Device &device) {
    if (!device.driver->find_library(&device.failure)) {
        device.state.store(DeviceState::kNoLibrary, std::memory_order_release);
        return;
    }
    if (!device.driver->open(&device.facts, &device.failure)) {
        device.state.store(DeviceState::kFailed, std::memory_order_release);
        return;
    }
    device.pool.set_cap(device.facts.memory_bytes / kPoolPart);
    // Registered after the driver has registered its own: so it runs before the driver is gone, at the
    // program's end as well as when this library is unloaded.
    std::atexit(device.at_exit);
    device.state.store(DeviceState::kOpen, std::memory_order_release);
}

}  // namespace

DeviceState state_of(const Device &device) {
    const DeviceState state = device.state.load(std::memory_order_acquire);
    const pid_t owner = device.owner_process.load(std::memory_order_relaxed);
    const bool failed = state == DeviceState::kNoLibrary || state == DeviceState::kFailed;
    return failed || owner == 0 || owner == getpid() ? state : DeviceState::kInherited;
}

const DeviceFacts *open_device(Device &device, Message *why) {
    DeviceState state = state_of(device);
    if (state == DeviceState::kUntried) {
        // Before the lock, which a process that is forked meanwhile must not wait for.
        device.owner_process.store(getpid(), std::memory_order_relaxed);
        const Locked lock(device.opening);
        if (state_of(device) == DeviceState::kUntried) {
            try_to_open(device);
        }
        state = state_of(device);
    }
    switch (state) {
    case DeviceState::kOpen: return &device.facts;
    case DeviceState::kNoLibrary:
    case DeviceState::kFailed: why->set("%s", device.failure.text); return nullptr;
    case DeviceState::kInherited:
        why->set("%s: the device belongs to the process that this one was forked from; open it "
                 "only after fork()",
                 device.driver->name);
        return nullptr;
    default: why->set("%s: the program is ending", device.driver->name); return nullptr;
    }
}

bool lacks_library(const Device &device) { return state_of(device) == DeviceState::kNoLibrary; }

void close_device(Device &device) {
    if (state_of(device) == DeviceState::kOpen) {
        const Locked lock(device.opening);
        trim(device);
        device.state.store(DeviceState::kClosed, std::memory_order_release);
    }
}

bool allocate(Device &device, size_t bytes, Stream stream, void **memory, Message *why) {
    return open_device(device, why) != nullptr &&
           device.pool.allocate(*device.driver, bytes, stream, memory, why);
}

// What remains when the program ends the driver takes back, and a forked process has nothing there.
bool release(Device &device, void *memory, Stream last_use, Message *why) {
    const DeviceState state = state_of(device);
    return state == DeviceState::kClosed || state == DeviceState::kInherited ||
           device.pool.release(*device.driver, memory, last_use, why);
}

bool upload(Device &device, void *to, const void *from, size_t bytes, Stream stream, Message *why) {
    return open_device(device, why) != nullptr &&
           (bytes == 0 ||
            device.driver->copy(to, from, bytes, Direction::kHostToDevice, stream, why));
}

bool download(Device &device, void *to, const void *from, size_t bytes, Stream stream,
              Message *why) {
    return open_device(device, why) != nullptr &&
           (bytes == 0 ||
            device.driver->copy(to, from, bytes, Direction::kDeviceToHost, stream, why));
}

bool create_stream(Device &device, Stream *stream, Message *why) {
    return open_device(device, why) != nullptr && device.driver->create_stream(stream, why);
}

bool destroy_stream(Device &device, Stream stream, Message *why) {
    if (state_of(device) != DeviceState::kOpen) {
        return true;
    }
    const uint64_t now = device.pool.now();
    const bool good = device.driver->destroy_stream(stream, why);
    // Its address may be the next stream's; what was freed for this one is not in use any more.
    device.pool.mark_idle(stream, now);
    return good;
}

bool synchronize(Device &device, Stream stream, Message *why) {
    if (open_device(device, why) == nullptr) {
        return false;
    }
    const uint64_t now = device.pool.now();
    if (!device.driver->synchronize(stream, why)) {
        return false;
    }
    device.pool.mark_idle(stream, now);
    return true;
}

void trim(Device &device) {
    if (state_of(device) == DeviceState::kOpen) {
        device.modules.trim(*device.driver);
        device.pool.trim(*device.driver);
    }
}

int find_stream(const Device &device, void *user_context, Stream *stream) {
    const int error = device.get_stream(user_context, stream);
    return error == 0
               ? 0
               : report(user_context, error, "%s: the program's function for streams returned %d",
                        device.driver->name, error);
}

}  // namespace emulsion::runtime::gpu
