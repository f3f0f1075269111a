// A GPU as the rest of the runtime sees it, whichever driver is under it: memory, copies and streams.
// hip_device() and opencl_device() (runtime/hip/hip.h, runtime/opencl/opencl.h) name the devices.
//
// The contexts of networks come here through the table in gpu.h. Kernels and buffer copies find the stream
// through halide_hip_get_stream(user_context, ...) or halide_opencl_get_stream().
//
// All functions may be called from any thread. Those that return false, or null, wrote a sentence into
// `why`. None calls halide_error().
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/gpu/driver.h"

namespace emulsion::runtime::gpu {

struct Device;

// Opens it unless that was done before. Null if it can't be used; later calls say so again without
// another try. The others do it too.
//
// Once the program ends, or in a process that was forked from the one that opened it, release(),
// destroy_stream() and trim() do nothing, and the others fail.
const DeviceFacts *open_device(Device &device, Message *why);
// After that failed: whether for want of the driver's library, so that there may well be a device.
bool lacks_library(const Device &device);

// Memory of the device, from its pool, with any content. `last_use` is the stream that may still use it;
// others get it once that stream was waited for. If that isn't the stream it was allocated for, release()
// waits for the whole device.
bool allocate(Device &device, size_t bytes, Stream stream, void **memory, Message *why);
bool release(Device &device, void *memory, Stream last_use, Message *why);

// Plain ranges of bytes; the addresses may lie anywhere in a block. They don't wait for the device: what
// is uploaded must stay as it is, and what is downloaded isn't there, until synchronize().
bool upload(Device &device, void *to, const void *from, size_t bytes, Stream stream, Message *why);
bool download(Device &device, void *to, const void *from, size_t bytes, Stream stream,
              Message *why);

// A stream of one's own waits for no other, not even for the null stream.
bool create_stream(Device &device, Stream *stream, Message *why);
// Waits for it first. Whatever fails, it is gone.
bool destroy_stream(Device &device, Stream stream, Message *why);
// Waits until everything that was put on it has ended, and reports what failed meanwhile.
bool synchronize(Device &device, Stream stream, Message *why);

// Gives back to the driver what is kept for later and not in use: free memory, modules.
void trim(Device &device);

}  // namespace emulsion::runtime::gpu
