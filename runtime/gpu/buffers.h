// What Halide asks of a device for its buffers. Each function serves the entry of the same name in
// halide_device_interface_impl_t, and a failure goes to halide_error() before its code is returned.
#pragma once

#include <HalideRuntime.h>

#include "runtime/gpu/device.h"

namespace emulsion::runtime::gpu {

int device_malloc(Device &device, void *user_context, halide_buffer_t *buffer);
int device_free(Device &device, void *user_context, halide_buffer_t *buffer);
int device_and_host_malloc(Device &device, void *user_context, halide_buffer_t *buffer);
int device_and_host_free(Device &device, void *user_context, halide_buffer_t *buffer);
int device_sync(Device &device, void *user_context);
int device_release(Device &device, void *user_context);

// `target` null: to the host. What Halide does by other means gets
// halide_error_code_incompatible_device_interface without a message. Returns when the host's
// memory may be changed again.
int buffer_copy(Device &device, void *user_context, const halide_buffer_t *from,
                const halide_device_interface_t *target, const halide_buffer_t *to);

int device_crop(Device &device, const halide_buffer_t *whole, halide_buffer_t *part);
int device_slice(Device &device, const halide_buffer_t *whole, int dimension, int position,
                 halide_buffer_t *part);

int wrap_native(Device &device, void *user_context, halide_buffer_t *buffer, uint64_t address);
int detach_native(Device &device, void *user_context, halide_buffer_t *buffer);

// 0.0 where there is no such device, which is no error.
int compute_capability(Device &device, int *major, int *minor);

}  // namespace emulsion::runtime::gpu
