// The AMD GPU of networks. Linked for those alone, which name emulsion_hip: other programs keep the null
// stream, or a halide_hip_get_stream() of their own.

#include "runtime/gpu/network.h"
#include "runtime/hip/hip.h"

namespace emulsion::runtime::gpu {

Stream hip_network_stream(void *user_context) {
    return stream_of(static_cast<const EmulsionContext *>(user_context));
}

}  // namespace emulsion::runtime::gpu

extern "C" {

constinit const EmulsionGpu emulsion_hip =
    emulsion::runtime::gpu::Network<emulsion::runtime::gpu::hip_device>::kTable;
}
