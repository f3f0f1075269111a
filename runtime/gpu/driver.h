// What the device runtime asks of a GPU's driver. HIP and OpenCL fill in one table each; everything else
// in this folder is common to both.
//
// Device memory is named by plain addresses, on which arithmetic works. Functions that can fail return
// false after they wrote a sentence into `why`: the call, the driver's name for the error and, where
// there is one, the remedy. All may be called from any thread at any time, unless it says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/gpu/message.h"

namespace emulsion::runtime::gpu {

// Copies and launches that were put on the same stream happen in that order. Null is the driver's own.
using Stream = void *;

enum class Direction { kHostToHost, kHostToDevice, kDeviceToHost, kDeviceToDevice };

struct DeviceFacts {
    char chip[64];  // "gfx90a"; for OpenCL the device's name
    size_t memory_bytes;
    int major;  // of the architecture's or OpenCL's version
    int minor;
};

// As Halide's generated code describes it. A size of 0 ends the arguments.
struct Launch {
    int blocks[3];
    int threads[3];
    int shared_bytes;
    const size_t *sizes;
    void *const *arguments;   // a halide_buffer_t, or a scalar of that size
    const int8_t *is_buffer;  // of each argument
};

// `count` pieces of `width` bytes, whose starts lie a pitch apart.
struct Rows {
    void *to;
    size_t to_pitch;
    const void *from;
    size_t from_pitch, width, count;
};

struct Driver {
    const char *name;  // as sentences have it

    // Both are called once, before all others: the library that the system brings, then a device.
    bool (*find_library)(Message *why);
    bool (*open)(DeviceFacts *facts, Message *why);

    bool (*allocate)(size_t bytes, void **memory, Message *why);
    // Waits until nothing on any stream uses it.
    bool (*release)(void *memory, Message *why);

    // None waits for the device. Host memory must stay as it is until the stream was waited for.
    bool (*copy)(void *to, const void *from, size_t bytes, Direction direction, Stream stream,
                 Message *why);
    // Null if the driver has no such.
    bool (*copy_rows)(const Rows &rows, Direction direction, Stream stream, Message *why);

    // `source` need not outlive the call.
    bool (*load)(const char *source, size_t bytes, void **module, Message *why);
    // Waits until no kernel of it runs.
    void (*unload)(void *module);
    bool (*find_kernel)(void *module, const char *name, void **kernel, Message *why);
    void (*drop_kernel)(void *kernel);
    bool (*launch)(void *kernel, const char *name, const Launch &launch, Stream stream,
                   Message *why);

    bool (*create_stream)(Stream *stream, Message *why);
    // Waits until it has ended. Whatever fails, the stream is gone; the first error is told.
    bool (*destroy_stream)(Stream stream, Message *why);
    bool (*synchronize)(Stream stream, Message *why);
};

}  // namespace emulsion::runtime::gpu
