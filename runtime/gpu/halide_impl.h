// The part of a device interface that Halide's runtime keeps to itself: HalideRuntime.h only names it.
#pragma once

#include <HalideRuntime.h>

extern "C" {

// As Halide 21's src/runtime/device_interface.h lays it out; interface_table_test.cpp calls every entry
// through Halide's own functions, which would go astray if another version had another order.
struct halide_device_interface_impl_t {
    void (*use_module)();
    void (*release_module)();
    int (*device_malloc)(void *user_context, halide_buffer_t *buffer);
    int (*device_free)(void *user_context, halide_buffer_t *buffer);
    int (*device_sync)(void *user_context, halide_buffer_t *buffer);
    int (*device_release)(void *user_context);
    int (*copy_to_host)(void *user_context, halide_buffer_t *buffer);
    int (*copy_to_device)(void *user_context, halide_buffer_t *buffer);
    int (*device_and_host_malloc)(void *user_context, halide_buffer_t *buffer);
    int (*device_and_host_free)(void *user_context, halide_buffer_t *buffer);
    int (*buffer_copy)(void *user_context, halide_buffer_t *from,
                       const halide_device_interface_t *target, halide_buffer_t *to);
    int (*device_crop)(void *user_context, const halide_buffer_t *whole, halide_buffer_t *part);
    int (*device_slice)(void *user_context, const halide_buffer_t *whole, int dimension,
                        int position, halide_buffer_t *part);
    int (*device_release_crop)(void *user_context, halide_buffer_t *buffer);
    int (*wrap_native)(void *user_context, halide_buffer_t *buffer, uint64_t handle);
    int (*detach_native)(void *user_context, halide_buffer_t *buffer);
};

// Of its runtime too, but missing in the header.
int halide_device_and_host_malloc(void *user_context, halide_buffer_t *buffer,
                                  const halide_device_interface_t *device_interface);
int halide_device_and_host_free(void *user_context, halide_buffer_t *buffer);
}

static_assert(HALIDE_VERSION_MAJOR == 21,
              "compare the layout with the new version's, then change this number");
