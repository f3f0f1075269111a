// The NVIDIA GPU of networks, through Halide's own CUDA runtime, which an artifact for it has. Everything
// goes to Halide's stream, CUDA's null stream, where contexts wait for each other.
//
// halide_buffer_t::device is a plain address there too. Memory that is freed stays with Halide's runtime,
// for the next that asks for as much.

#include <HalideRuntimeCuda.h>

#include "runtime/context.h"
#include "runtime/gpu/gpu.h"

namespace emulsion::runtime::gpu {

namespace {

// Rows of an allocation, pieces of a copy: a buffer's extents have 31 bits.
constexpr int kRow = 1 << 20;
constexpr size_t kPiece = size_t{1} << 30;

// The sentences of the runtime's errors go to a context (record_error()).
struct Caught : EmulsionContext {
    Caught() : EmulsionContext{} {}

    // Whether the result is none; else a sentence about `call`.
    bool succeeded(int result, const char *call, Message *why) const {
        return result == 0 || why->set("CUDA: %s failed: %s (%d)", call,
                                       message[0] != '\0' ? message : "no reason given", result);
    }
};

// NOLINTNEXTLINE(performance-no-int-to-ptr)
void *pointer(uint64_t address) { return reinterpret_cast<void *>(address); }

halide_buffer_t bytes_at(const void *memory, halide_dimension_t *dim, int dimensions) {
    halide_buffer_t buffer = {};
    buffer.device = reinterpret_cast<uint64_t>(memory);
    buffer.device_interface = memory != nullptr ? halide_cuda_device_interface() : nullptr;
    buffer.type = halide_type_t(halide_type_uint, 8);
    buffer.dimensions = dimensions;
    buffer.dim = dim;
    return buffer;
}

// A block of that many bytes, as whole rows.
struct Block {
    halide_dimension_t dim[2];
    halide_buffer_t buffer;

    Block(const void *memory, size_t bytes)
        : dim{{0, kRow, 1}, {0, static_cast<int>(bytes / kRow) + 1, kRow}},
          buffer(bytes_at(memory, dim, 2)) {}
};

// A copy waits for the device, because it is on the null stream.
bool copy(void *device, char *host, size_t bytes, bool to_device, Message *why) {
    Caught caught;
    for (size_t at = 0; at < bytes; at += kPiece) {
        const size_t piece = bytes - at < kPiece ? bytes - at : kPiece;
        halide_dimension_t dim(0, static_cast<int>(piece), 1);
        halide_buffer_t buffer = bytes_at(static_cast<char *>(device) + at, &dim, 1);
        buffer.host = reinterpret_cast<uint8_t *>(host + at);
        buffer.set_host_dirty(to_device);
        buffer.set_device_dirty(!to_device);
        const int result = to_device
                               ? halide_copy_to_device(&caught, &buffer, buffer.device_interface)
                               : halide_copy_to_host(&caught, &buffer);
        if (!caught.succeeded(result, to_device ? "copying to the device" : "copying to the host",
                              why)) {
            return false;
        }
    }
    return true;
}

// Anything that needs a device makes Halide open it; a failure is tried again the next time.
int open(const char *const *, Message *why) {
    Caught caught;
    const int result = halide_device_sync_global(&caught, halide_cuda_device_interface());
    if (result == 0) {
        return EMULSION_OK;
    }
    const bool missing = result == halide_error_code_symbol_not_found;
    why->set("no NVIDIA GPU can be used: %s%s", caught.message,
             missing ? "; install NVIDIA's driver, which has libcuda.so" : "");
    return missing ? EMULSION_NO_DRIVER : EMULSION_NO_DEVICE;
}

bool create_stream(void **stream, Message *) {
    *stream = nullptr;
    return true;
}

bool synchronize(void *, Message *why) {
    Caught caught;
    return caught.succeeded(halide_device_sync_global(&caught, halide_cuda_device_interface()),
                            "waiting for the device", why);
}

bool allocate(size_t bytes, void *, void **memory, Message *why) {
    Caught caught;
    Block block(nullptr, bytes);
    const int result = halide_device_malloc(&caught, &block.buffer, halide_cuda_device_interface());
    *memory = pointer(block.buffer.device);
    return caught.succeeded(result, "allocating device memory", why);
}

bool release(void *memory, size_t bytes, void *, Message *why) {
    Caught caught;
    Block block(memory, bytes);
    return caught.succeeded(halide_device_free(&caught, &block.buffer), "freeing device memory",
                            why);
}

bool upload(void *to, const void *from, size_t bytes, void *, Message *why) {
    return copy(to, static_cast<char *>(const_cast<void *>(from)), bytes, true, why);
}

bool download(void *to, const void *from, size_t bytes, void *, Message *why) {
    return copy(const_cast<void *>(from), static_cast<char *>(to), bytes, false, why);
}

// Halide's runtime can only let go of everything, which other contexts may use.
void trim() {}

}  // namespace

}  // namespace emulsion::runtime::gpu

extern "C" {

constinit const EmulsionGpu emulsion_cuda = {
    .open = emulsion::runtime::gpu::open,
    .device_interface = halide_cuda_device_interface,
    .create_stream = emulsion::runtime::gpu::create_stream,
    .destroy_stream = emulsion::runtime::gpu::synchronize,
    .synchronize = emulsion::runtime::gpu::synchronize,
    .allocate = emulsion::runtime::gpu::allocate,
    .release = emulsion::runtime::gpu::release,
    .upload = emulsion::runtime::gpu::upload,
    .download = emulsion::runtime::gpu::download,
    .trim = emulsion::runtime::gpu::trim,
};
}
