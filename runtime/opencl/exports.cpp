// The functions with the names that generated code knows, as in HalideRuntimeOpenCL.h.

#include "runtime/gpu/interface.h"
#include "runtime/gpu/kernels.h"
#include "runtime/opencl/driver.h"
#include "runtime/opencl/opencl.h"

#include <HalideRuntimeOpenCL.h>

namespace emulsion::runtime::gpu {

extern Device opencl_gpu;
constinit Device opencl_gpu{&kOpenClDriver, &Interface<opencl_gpu>::kTable,
                            halide_opencl_get_stream, Interface<opencl_gpu>::close};

Device &opencl_device() { return opencl_gpu; }

}  // namespace emulsion::runtime::gpu

using emulsion::runtime::gpu::opencl_gpu;
using emulsion::runtime::gpu::opencl_network_stream;

extern "C" {

const halide_device_interface_t *halide_opencl_device_interface() { return opencl_gpu.interface; }

__attribute__((weak)) int halide_opencl_get_stream(void *user_context, void **stream) {
    *stream = opencl_network_stream != nullptr ? opencl_network_stream(user_context) : nullptr;
    return 0;
}

int halide_opencl_initialize_kernels(void *user_context, void **state_ptr, const char *src,
                                     int size) {
    return initialize_kernels(opencl_gpu, user_context, state_ptr, src, size);
}

void halide_opencl_finalize_kernels(void *, void *state_ptr) {
    finalize_kernels(opencl_gpu, state_ptr);
}

// NOLINTNEXTLINE(readability-function-size): Halide calls it so.
int halide_opencl_run(void *user_context, void *state_ptr, const char *entry_name, int blocksX,
                      int blocksY, int blocksZ, int threadsX, int threadsY, int threadsZ,
                      int shared_mem_bytes, size_t arg_sizes[], void *args[],
                      int8_t arg_is_buffer[]) {
    return run_kernel(opencl_gpu, user_context, state_ptr, entry_name,
                      {{blocksX, blocksY, blocksZ},
                       {threadsX, threadsY, threadsZ},
                       shared_mem_bytes,
                       arg_sizes,
                       args,
                       arg_is_buffer});
}
}
