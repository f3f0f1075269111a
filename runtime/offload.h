// The part of a context that lies on a GPU: its stream, its arena, where its tensors are in there.
#pragma once

#include "runtime/context.h"
#include "runtime/gpu/gpu.h"

namespace emulsion::runtime {

using gpu::Message;

struct Offload {
    const EmulsionGpu *gpu;
    void *stream;
    bool has_stream;
    char *arena;           // the device's, as all addresses but the last
    const char **outputs;  // where each output is downloaded from
    // Of the host, for observers: as large as the largest result of a launch. Null before the first one.
    char *observed;
    size_t observed_mapped;
};

// Opens the device, gives the context a stream and an arena whose halos are filled, and its weights a copy
// on the device, unless they have one. Returns an error code; close_offload() is due even then.
int open_offload(EmulsionContext *context, Message *why);
// Waits for the device. The weights lose this user too. A context without an offload stays as it is.
void close_offload(EmulsionContext *context);

// Device address of a view's element at the minima.
char *device_address(const EmulsionContext *context, const EmulsionView &view);

// The parts of a run. Return an error code and record the error. Only wait_for_device() waits.
int upload_inputs(EmulsionContext *context, const void *const *inputs);
int download_outputs(EmulsionContext *context, void *const *outputs);
int wait_for_device(EmulsionContext *context);
// Waits, and points *data to a copy on the host of the view's elements, with its strides.
int download_result(EmulsionContext *context, const EmulsionView &view, const void **data);

}  // namespace emulsion::runtime
