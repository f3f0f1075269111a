// The OpenCL device of networks. Linked for those alone, which name emulsion_opencl: other programs keep
// the null stream, or a halide_opencl_get_stream() of their own.

#include "runtime/gpu/network.h"
#include "runtime/opencl/opencl.h"

namespace emulsion::runtime::gpu {

Stream opencl_network_stream(void *user_context) {
    return stream_of(static_cast<const EmulsionContext *>(user_context));
}

}  // namespace emulsion::runtime::gpu

extern "C" {

constinit const EmulsionGpu emulsion_opencl =
    emulsion::runtime::gpu::Network<emulsion::runtime::gpu::opencl_device>::kTable;
}
