// A kind of GPU as the runtime of a network sees it. libemulsion_runtime.a reaches it only through this
// table, to which the network's own tables point, so that a network without one links without its code.
//
// Each table is in an archive: emulsion_hip in libemulsion_hip.a, emulsion_opencl in libemulsion_opencl.a,
// emulsion_cuda in libemulsion_cuda.a. The object that defines it also brings what only networks need:
// kernels that are called with a context go to the context's stream.
#pragma once

#include <cstddef>

#include <HalideRuntime.h>

#include "runtime/gpu/message.h"
#include "runtime/tables.h"

// Functions may be called from any thread. Those that return false wrote a sentence into `why`.
struct EmulsionGpu {
    using Message = emulsion::runtime::gpu::Message;

    // Opens the device unless that was done before; it has to be one of `chips` (ended by a null), unless
    // that is null itself. EMULSION_OK, or EMULSION_NO_DRIVER or EMULSION_NO_DEVICE with a sentence. Must
    // come before all others.
    int (*open)(const char *const *chips, Message *why);
    const halide_device_interface_t *(*device_interface)();

    // A stream keeps the order of what is put on it and waits for no other. Null may be one.
    bool (*create_stream)(void **stream, Message *why);
    // Waits for what is on it.
    bool (*destroy_stream)(void *stream, Message *why);
    // Waits until everything that was put on it has ended, and reports what failed meanwhile.
    bool (*synchronize)(void *stream, Message *why);

    // Memory with any content, at least one byte. Its addresses can be counted with.
    bool (*allocate)(size_t bytes, void *stream, void **memory, Message *why);
    // `last_use` may still use it, no other stream does; `bytes` as when it was allocated.
    bool (*release)(void *memory, size_t bytes, void *last_use, Message *why);
    // Anywhere in a block. They needn't wait: what is uploaded must stay as it is, and what is downloaded
    // isn't there, until synchronize().
    bool (*upload)(void *to, const void *from, size_t bytes, void *stream, Message *why);
    bool (*download)(void *to, const void *from, size_t bytes, void *stream, Message *why);

    // Gives back to the driver what is kept for later, as far as it isn't in use.
    void (*trim)();
};

// The names that generated C has.
// NOLINTBEGIN(readability-identifier-naming,bugprone-dynamic-static-initializers)
extern "C" {
extern constinit const EmulsionGpu emulsion_hip;
extern constinit const EmulsionGpu emulsion_opencl;
extern constinit const EmulsionGpu emulsion_cuda;
}
// NOLINTEND(readability-identifier-naming,bugprone-dynamic-static-initializers)

namespace emulsion::runtime {

// Of libemulsion_runtime.a: the context's stream; null for no context.
void *stream_of(const EmulsionContext *context);

}  // namespace emulsion::runtime
