// The functions with the names that users and generated code know.

#include "runtime/gpu/interface.h"
#include "runtime/gpu/kernels.h"
#include "runtime/hip/HalideRuntimeHip.h"
#include "runtime/hip/driver.h"
#include "runtime/hip/hip.h"

namespace emulsion::runtime::gpu {

extern Device hip_gpu;
constinit Device hip_gpu{&kHipDriver, &Interface<hip_gpu>::kTable, halide_hip_get_stream,
                         Interface<hip_gpu>::close};

Device &hip_device() { return hip_gpu; }

}  // namespace emulsion::runtime::gpu

using emulsion::runtime::gpu::hip_gpu;
using emulsion::runtime::gpu::hip_network_stream;

extern "C" {

const halide_device_interface_t *halide_hip_device_interface() { return hip_gpu.interface; }

__attribute__((weak)) int halide_hip_get_stream(void *user_context, void **stream) {
    *stream = hip_network_stream != nullptr ? hip_network_stream(user_context) : nullptr;
    return 0;
}

int halide_hip_wrap_device_ptr(void *user_context, halide_buffer_t *buf, uint64_t device_ptr) {
    return wrap_native(hip_gpu, user_context, buf, device_ptr);
}

int halide_hip_detach_device_ptr(void *user_context, halide_buffer_t *buf) {
    return detach_native(hip_gpu, user_context, buf);
}

uintptr_t halide_hip_get_device_ptr(void *, halide_buffer_t *buf) {
    return buf->device_interface == hip_gpu.interface ? static_cast<uintptr_t>(buf->device) : 0;
}

int halide_hip_initialize_kernels(void *user_context, void **state_ptr, const char *src, int size) {
    return initialize_kernels(hip_gpu, user_context, state_ptr, src, size);
}

void halide_hip_finalize_kernels(void *, void *state_ptr) { finalize_kernels(hip_gpu, state_ptr); }

// NOLINTNEXTLINE(readability-function-size): Halide calls it so.
int halide_hip_run(void *user_context, void *state_ptr, const char *entry_name, int blocksX,
                   int blocksY, int blocksZ, int threadsX, int threadsY, int threadsZ,
                   int shared_mem_bytes, size_t arg_sizes[], void *args[], int8_t arg_is_buffer[]) {
    return run_kernel(hip_gpu, user_context, state_ptr, entry_name,
                      {{blocksX, blocksY, blocksZ},
                       {threadsX, threadsY, threadsZ},
                       shared_mem_bytes,
                       arg_sizes,
                       args,
                       arg_is_buffer});
}
}
