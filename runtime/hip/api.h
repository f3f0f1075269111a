// The functions of the HIP library that are used, found when it is opened.
#pragma once

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>

#include "runtime/gpu/message.h"

namespace emulsion::runtime::gpu {

// Newer headers have macros for some of these: hipGetDeviceProperties is hipGetDevicePropertiesR0600 since
// HIP 6, with another hipDeviceProp_t. What is expanded in the types is therefore expanded in the names too.
#define EMULSION_HIP_FUNCTIONS(use)                                                                \
    use(hipInit) use(hipGetDeviceCount) use(hipGetDeviceProperties) use(hipGetDevice)              \
        use(hipSetDevice) use(hipGetErrorName) use(hipMalloc) use(hipFree) use(hipMemcpyAsync)     \
            use(hipMemcpy2DAsync) use(hipModuleLoadData) use(hipModuleUnload)                      \
                use(hipModuleGetFunction) use(hipModuleLaunchKernel) use(hipStreamCreateWithFlags) \
                    use(hipStreamDestroy) use(hipStreamSynchronize) use(hipDeviceSynchronize)

// hipMalloc and others are overloaded in C++: these are the C functions' types.
struct HipApi {
    hipError_t (*hipInit)(unsigned int flags);
    hipError_t (*hipGetDeviceCount)(int *count);
    hipError_t (*hipGetDeviceProperties)(hipDeviceProp_t *properties, int device);
    hipError_t (*hipGetDevice)(int *device);
    hipError_t (*hipSetDevice)(int device);
    const char *(*hipGetErrorName)(hipError_t error);
    hipError_t (*hipMalloc)(void **memory, size_t bytes);
    hipError_t (*hipFree)(void *memory);
    hipError_t (*hipMemcpyAsync)(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                                 hipStream_t stream);
    hipError_t (*hipMemcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                   size_t width, size_t height, hipMemcpyKind kind,
                                   hipStream_t stream);
    hipError_t (*hipModuleLoadData)(hipModule_t *module, const void *image);
    hipError_t (*hipModuleUnload)(hipModule_t module);
    hipError_t (*hipModuleGetFunction)(hipFunction_t *function, hipModule_t module,
                                       const char *name);
    hipError_t (*hipModuleLaunchKernel)(hipFunction_t function, unsigned int blocks_x,
                                        unsigned int blocks_y, unsigned int blocks_z,
                                        unsigned int threads_x, unsigned int threads_y,
                                        unsigned int threads_z, unsigned int shared_bytes,
                                        hipStream_t stream, void **parameters, void **extra);
    hipError_t (*hipStreamCreateWithFlags)(hipStream_t *stream, unsigned int flags);
    hipError_t (*hipStreamDestroy)(hipStream_t stream);
    hipError_t (*hipStreamSynchronize)(hipStream_t stream);
    hipError_t (*hipDeviceSynchronize)();
};

// Opens the library, then starts HIP in it, which fails without a device. False after a sentence.
bool load_hip(HipApi *api, Message *why);
bool start_hip(const HipApi &api, Message *why);

// True if `error` is none, else a sentence with the call's name and HIP's for the error.
bool succeeded(const HipApi &api, hipError_t error, const char *call, Message *why);

}  // namespace emulsion::runtime::gpu
