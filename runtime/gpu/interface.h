// A device's halide_device_interface_t. Halide passes no pointer through its table by which an entry
// could know the device, so each driver has entries of its own: this template's.
#pragma once

#include <HalideRuntime.h>

#include "runtime/gpu/buffers.h"
#include "runtime/gpu/device_state.h"
#include "runtime/gpu/halide_impl.h"

namespace emulsion::runtime::gpu {

template<Device &device>
struct Interface {
    static void nothing() {}

    static int malloc(void *context, halide_buffer_t *buffer) {
        return device_malloc(device, context, buffer);
    }
    static int free(void *context, halide_buffer_t *buffer) {
        return device_free(device, context, buffer);
    }
    static int sync(void *context, halide_buffer_t *) { return device_sync(device, context); }
    static int release_all(void *context) { return device_release(device, context); }
    static int copy_to_host(void *context, halide_buffer_t *buffer) {
        return buffer_copy(device, context, buffer, nullptr, buffer);
    }
    static int copy_to_device(void *context, halide_buffer_t *buffer) {
        return buffer_copy(device, context, buffer, device.interface, buffer);
    }
    static int malloc_both(void *context, halide_buffer_t *buffer) {
        return device_and_host_malloc(device, context, buffer);
    }
    static int free_both(void *context, halide_buffer_t *buffer) {
        return device_and_host_free(device, context, buffer);
    }
    static int copy(void *context, halide_buffer_t *from, const halide_device_interface_t *target,
                    halide_buffer_t *to) {
        return buffer_copy(device, context, from, target, to);
    }
    static int crop(void *, const halide_buffer_t *whole, halide_buffer_t *part) {
        return device_crop(device, whole, part);
    }
    static int slice(void *, const halide_buffer_t *whole, int dimension, int position,
                     halide_buffer_t *part) {
        return device_slice(device, whole, dimension, position, part);
    }
    // A crop holds nothing; Halide's caller clears the buffer's fields.
    static int release_crop(void *, halide_buffer_t *) { return 0; }
    static int wrap(void *context, halide_buffer_t *buffer, uint64_t address) {
        return wrap_native(device, context, buffer, address);
    }
    static int detach(void *context, halide_buffer_t *buffer) {
        return detach_native(device, context, buffer);
    }
    static int capability(void *, int *major, int *minor) {
        return compute_capability(device, major, minor);
    }
    static void close() { close_device(device); }

    // NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is initialized by the compiler
    static constexpr halide_device_interface_impl_t kImpl = {
        nothing,     nothing,   malloc, free, sync,  release_all,  copy_to_host, copy_to_device,
        malloc_both, free_both, copy,   crop, slice, release_crop, wrap,         detach};

    // The public entries are Halide's own, which check the buffer and then call those above.
    // NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is initialized by the compiler
    static constexpr halide_device_interface_t kTable = {halide_device_malloc,
                                                         halide_device_free,
                                                         halide_device_sync,
                                                         halide_device_release,
                                                         halide_copy_to_host,
                                                         halide_copy_to_device,
                                                         halide_device_and_host_malloc,
                                                         halide_device_and_host_free,
                                                         halide_buffer_copy,
                                                         halide_device_crop,
                                                         halide_device_slice,
                                                         halide_device_release_crop,
                                                         halide_device_wrap_native,
                                                         halide_device_detach_native,
                                                         capability,
                                                         &kImpl};
};

}  // namespace emulsion::runtime::gpu
