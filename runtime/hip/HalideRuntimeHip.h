/* Halide's device interface for AMD GPUs through HIP, for programs with pipelines that Emulsion compiled
 * for them. Link libemulsion_hip.a and Halide's runtime (without a GPU feature), and -ldl -lpthread.
 *
 * The HIP library (libamdhip64.so) is opened at the first use and need not be there to build or start a
 * program. The environment variable EMULSION_HIP_LIBRARY names another file than the one that the system
 * finds. Device 0 is used; the environment variable HIP_VISIBLE_DEVICES chooses which that is. Threads may
 * have another device current, and keep it. hipDeviceReset() would take the memory, streams and code of this
 * runtime along: a program must not call it for device 0 once it has used a buffer or a pipeline there.
 *
 * After fork(), a device that was used before belongs to the parent. In the child, buffers can be freed,
 * which does nothing to the parent's memory; all else that needs the device fails.
 *
 * Freed memory is kept for later buffers. It belongs to the stream (halide_hip_get_stream) of the user
 * context that it was allocated with. Freed with the same stream, it may be given out again while work for it
 * is still on that stream; other streams that used it must have been waited for. Freed with another stream,
 * it goes back to HIP, which waits for the whole device. Halide::Runtime::Buffer frees with a null user
 * context when it is destroyed: if contexts have streams of their own, its device_free(context) is faster.
 *
 * halide_buffer_t::device holds the plain device address of the buffer's first element. It may lie
 * anywhere in an allocation, of this runtime's or the user's.
 *
 * Whatever fails is reported by halide_error() as one sentence, and the code returned is one of
 * halide_error_code_t: device_malloc_failed (-16), device_run_failed (-23),
 * gpu_device_error (-29), ... */
#ifndef EMULSION_HALIDE_RUNTIME_HIP_H
#define EMULSION_HALIDE_RUNTIME_HIP_H

#ifndef HALIDE_HALIDERUNTIME_H
#include <HalideRuntime.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define HALIDE_RUNTIME_HIP

/* For halide_device_malloc(), halide_copy_to_device() and the like. Asks the driver nothing yet. */
extern const struct halide_device_interface_t *halide_hip_device_interface(void);

/* Makes `device_ptr`, not 0, the buffer's device memory. The buffer must have none before. It must be
 * large enough for the buffer's extents and strides, which isn't checked, and outlive the buffer's use of
 * it. The dirty flags stay as they are. Returns 0 or a halide_error_code_t. */
extern int halide_hip_wrap_device_ptr(void *user_context, struct halide_buffer_t *buf,
                                      uint64_t device_ptr);

/* Ends that. The memory stays; the buffer has none any more. Returns 0 or a halide_error_code_t. */
extern int halide_hip_detach_device_ptr(void *user_context, struct halide_buffer_t *buf);

/* The address of the buffer's first element on the device; 0 if it isn't on a HIP device. */
extern uintptr_t halide_hip_get_device_ptr(void *user_context, struct halide_buffer_t *buf);

/* The stream (a hipStream_t) for all launches and copies of that user context. The default gives the null
 * stream; define the function in the program to choose. An error it returns fails the call that asked.
 * A stream must be device 0's, and live until halide_device_sync() was called for it after its last use
 * here. */
extern int halide_hip_get_stream(void *user_context, void **stream);

/* Called by generated code, not by users. `src` is a bundle of code objects for one or more chips, which
 * need not outlive the call. */
extern int halide_hip_initialize_kernels(void *user_context, void **state_ptr, const char *src,
                                         int size);
extern void halide_hip_finalize_kernels(void *user_context, void *state_ptr);
extern int halide_hip_run(void *user_context, void *state_ptr, const char *entry_name, int blocksX,
                          int blocksY, int blocksZ, int threadsX, int threadsY, int threadsZ,
                          int shared_mem_bytes, size_t arg_sizes[], void *args[],
                          int8_t arg_is_buffer[]);

#ifdef __cplusplus
}
#endif

#endif
