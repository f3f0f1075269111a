// Memory, copies and streams.

#include <cstdlib>
#include <cstring>

#include "tests/gpu_runtime/fake_hip/state.h"

using fake_hip::is_device_memory;
using fake_hip::record;
using fake_hip::state;
using fake_hip::wanted_on_device;
using Lock = std::lock_guard<std::recursive_mutex>;

namespace {

constexpr size_t kAlignment = 256;
constexpr int kPoison = 0xCD;

size_t memory_limit() {
    const char *text = std::getenv("EMULSION_FAKE_HIP_MEMORY");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : size_t{1} << 30;
}

std::string number(const char *name, unsigned long long value) {
    return "\"" + std::string(name) + "\":" + std::to_string(value);
}

std::string stream_number(hipStream_t stream) {
    return number("stream", reinterpret_cast<uintptr_t>(stream));
}

const char *name_of(hipMemcpyKind kind) {
    switch (kind) {
    case hipMemcpyHostToDevice: return "\"direction\":\"host to device\"";
    case hipMemcpyDeviceToHost: return "\"direction\":\"device to host\"";
    case hipMemcpyDeviceToDevice: return "\"direction\":\"device to device\"";
    default: return "\"direction\":\"other\"";
    }
}

// Sides of a copy must be what its kind says.
hipError_t check_sides(const void *to, size_t to_bytes, const void *from, size_t from_bytes,
                       hipMemcpyKind kind, hipStream_t stream) {
    const bool to_device = kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice;
    const bool from_device = kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice;
    return is_device_memory(to, to_bytes) == to_device &&
                   is_device_memory(from, from_bytes) == from_device &&
                   state().streams.count(stream) > 0
               ? hipSuccess
               : hipErrorInvalidValue;
}

}  // namespace

extern "C" {

hipError_t hipMalloc(void **memory, size_t bytes) {
    const Lock lock(state().mutex);
    hipError_t result = wanted_on_device("hipMalloc");
    if (result == hipSuccess && bytes > memory_limit() - state().live_bytes) {
        result = hipErrorOutOfMemory;
    }
    if (result == hipSuccess) {
        const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        auto *block = static_cast<char *>(std::aligned_alloc(kAlignment, rounded));
        std::memset(block, kPoison, rounded);
        state().blocks[block] = bytes;
        state().live_bytes += bytes;
        *memory = block;
    }
    return record(
        "hipMalloc",
        number("bytes", bytes) + "," +
            number("memory", result == hipSuccess ? reinterpret_cast<uintptr_t>(*memory) : 0),
        result);
}

hipError_t hipFree(void *memory) {
    const Lock lock(state().mutex);
    fake_hip::run_all();
    hipError_t result = wanted_on_device("hipFree");
    const auto block = state().blocks.find(static_cast<char *>(memory));
    if (block == state().blocks.end()) {
        result = hipErrorInvalidValue;
    }
    size_t bytes = 0;
    if (result == hipSuccess) {
        bytes = block->second;
        state().live_bytes -= bytes;
        state().blocks.erase(block);
        std::free(memory);
    }
    return record("hipFree", number("bytes", bytes), result);
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
    const Lock lock(state().mutex);
    hipError_t result = wanted_on_device("hipMemcpyAsync");
    if (result == hipSuccess) {
        result = check_sides(to, bytes, from, bytes, kind, stream);
    }
    if (result == hipSuccess) {
        state().work[stream].emplace_back([=] { std::memcpy(to, from, bytes); });
    }
    return record("hipMemcpyAsync",
                  std::string(name_of(kind)) + "," + number("bytes", bytes) + "," +
                      stream_number(stream),
                  result);
}

hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
    const Lock lock(state().mutex);
    hipError_t result = wanted_on_device("hipMemcpy2DAsync");
    if (result == hipSuccess && (to_pitch < width || from_pitch < width)) {
        result = hipErrorInvalidPitchValue;
    }
    if (result == hipSuccess) {
        result = check_sides(to, (height - 1) * to_pitch + width, from,
                             (height - 1) * from_pitch + width, kind, stream);
    }
    if (result == hipSuccess) {
        state().work[stream].emplace_back([=] {
            for (size_t i = 0; i < height; i++) {
                std::memcpy(static_cast<char *>(to) + i * to_pitch,
                            static_cast<const char *>(from) + i * from_pitch, width);
            }
        });
    }
    return record("hipMemcpy2DAsync",
                  std::string(name_of(kind)) + "," + number("width", width) + "," +
                      number("rows", height) + "," + number("to_pitch", to_pitch) + "," +
                      number("from_pitch", from_pitch) + "," + stream_number(stream),
                  result);
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int) {
    const Lock lock(state().mutex);
    const hipError_t result = wanted_on_device("hipStreamCreateWithFlags");
    if (result == hipSuccess) {
        *stream = reinterpret_cast<hipStream_t>(new char);
        state().streams.insert(*stream);
    }
    return record("hipStreamCreateWithFlags", "", result);
}

hipError_t hipStreamDestroy(hipStream_t stream) {
    const Lock lock(state().mutex);
    hipError_t result = wanted_on_device("hipStreamDestroy");
    if (stream == nullptr || state().streams.count(stream) == 0) {
        result = hipErrorInvalidHandle;
    }
    if (result == hipSuccess) {
        fake_hip::run_stream(stream);
        state().streams.erase(stream);
        delete reinterpret_cast<char *>(stream);
    }
    return record("hipStreamDestroy", "", result);
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
    const Lock lock(state().mutex);
    hipError_t result = wanted_on_device("hipStreamSynchronize");
    if (state().streams.count(stream) == 0) {
        result = hipErrorInvalidHandle;
    }
    if (result == hipSuccess) {
        fake_hip::run_stream(stream);
    }
    return record("hipStreamSynchronize", stream_number(stream), result);
}

hipError_t hipDeviceSynchronize() {
    const Lock lock(state().mutex);
    fake_hip::run_all();
    return record("hipDeviceSynchronize", "", wanted_on_device("hipDeviceSynchronize"));
}
}
