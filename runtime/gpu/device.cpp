#include "runtime/gpu/device.h"

#include <cstdlib>

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

const DeviceFacts *open_device(Device &device, Message *why) {
    DeviceState state = device.state.load(std::memory_order_acquire);
    if (state == DeviceState::kUntried) {
        const Locked lock(device.opening);
        if (device.state.load(std::memory_order_relaxed) == DeviceState::kUntried) {
            try_to_open(device);
        }
        state = device.state.load(std::memory_order_relaxed);
    }
    switch (state) {
    case DeviceState::kOpen: return &device.facts;
    case DeviceState::kNoLibrary:
    case DeviceState::kFailed: why->set("%s", device.failure.text); return nullptr;
    default: why->set("%s: the program is ending", device.driver->name); return nullptr;
    }
}

bool lacks_library(const Device &device) {
    return device.state.load(std::memory_order_acquire) == DeviceState::kNoLibrary;
}

void close_device(Device &device) {
    const Locked lock(device.opening);
    if (device.state.load(std::memory_order_relaxed) == DeviceState::kOpen) {
        trim(device);
        device.state.store(DeviceState::kClosed, std::memory_order_release);
    }
}

bool allocate(Device &device, size_t bytes, Stream stream, void **memory, Message *why) {
    return device.pool.allocate(*device.driver, bytes, stream, memory, why);
}

bool release(Device &device, void *memory, Stream last_use, Message *why) {
    // When the program ends, the driver takes back everything.
    return device.state.load(std::memory_order_acquire) == DeviceState::kClosed ||
           device.pool.release(*device.driver, memory, last_use, why);
}

bool upload(Device &device, void *to, const void *from, size_t bytes, Stream stream, Message *why) {
    return bytes == 0 ||
           device.driver->copy(to, from, bytes, Direction::kHostToDevice, stream, why);
}

bool download(Device &device, void *to, const void *from, size_t bytes, Stream stream,
              Message *why) {
    return bytes == 0 ||
           device.driver->copy(to, from, bytes, Direction::kDeviceToHost, stream, why);
}

bool fill(Device &device, void *memory, uint8_t value, size_t bytes, Stream stream, Message *why) {
    return bytes == 0 || device.driver->fill(memory, value, bytes, stream, why);
}

bool create_stream(Device &device, Stream *stream, Message *why) {
    return device.driver->create_stream(stream, why);
}

bool destroy_stream(Device &device, Stream stream, Message *why) {
    if (device.state.load(std::memory_order_acquire) == DeviceState::kClosed) {
        return true;
    }
    const uint64_t now = device.pool.now();
    if (!device.driver->destroy_stream(stream, why)) {
        return false;
    }
    // Its address may be the next stream's; what was freed for this one is not in use any more.
    device.pool.mark_idle(stream, now);
    return true;
}

bool synchronize(Device &device, Stream stream, Message *why) {
    const uint64_t now = device.pool.now();
    if (!device.driver->synchronize(stream, why)) {
        return false;
    }
    device.pool.mark_idle(stream, now);
    return true;
}

void trim(Device &device) {
    if (device.state.load(std::memory_order_acquire) == DeviceState::kClosed) {
        return;
    }
    device.modules.trim(*device.driver);
    device.pool.trim(*device.driver);
}

}  // namespace emulsion::runtime::gpu
