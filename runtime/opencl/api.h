// The functions of the OpenCL library that are used, found when it is opened.
#pragma once

#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include "runtime/gpu/message.h"

namespace emulsion::runtime::gpu {

#define EMULSION_OPENCL_FUNCTIONS(use)                                                            \
    use(clGetPlatformIDs) use(clGetDeviceIDs) use(clGetDeviceInfo) use(clCreateContext)           \
        use(clCreateCommandQueueWithProperties) use(clReleaseCommandQueue) use(clFinish)          \
            use(clSVMAlloc) use(clSVMFree) use(clEnqueueSVMMemcpy) use(clCreateProgramWithSource) \
                use(clBuildProgram) use(clGetProgramBuildInfo) use(clReleaseProgram)              \
                    use(clCreateKernel) use(clReleaseKernel) use(clSetKernelArg)                  \
                        use(clSetKernelArgSVMPointer) use(clEnqueueNDRangeKernel)

struct OpenClApi {
#define EMULSION_DECLARE(name) decltype(&::name) name;
    EMULSION_OPENCL_FUNCTIONS(EMULSION_DECLARE)
#undef EMULSION_DECLARE
};

bool load_opencl(OpenClApi *api, Message *why);

// "CL_OUT_OF_RESOURCES"; "unknown error" for what no function used here returns.
const char *opencl_error_name(cl_int error);

// True if `error` is none, else a sentence with the call's name and OpenCL's for the error.
bool succeeded(cl_int error, const char *call, Message *why);

}  // namespace emulsion::runtime::gpu
