#include "runtime/opencl/api.h"

#include "runtime/gpu/library.h"

namespace emulsion::runtime::gpu {

namespace {

constexpr const char *kLibraries[] = {"libOpenCL.so.1", nullptr};
constexpr const char *kPurpose = "no OpenCL device can be used";
constexpr const char *kRemedy =
    "install the package ocl-icd-libopencl1 and the GPU's driver, or pocl-opencl-icd (Debian)";
constexpr const char *kNeeded = "OpenCL 2.0 or newer is needed";

}  // namespace

bool load_opencl(OpenClApi *api, Message *why) {
    void *library = open_library(kLibraries, "EMULSION_OPENCL_LIBRARY", kPurpose, kRemedy, why);
    if (library == nullptr) {
        return false;
    }
#define EMULSION_FIND(name)                                                   \
    if (!find_function(library, #name, kPurpose, kNeeded, &api->name, why)) { \
        return false;                                                         \
    }
    EMULSION_OPENCL_FUNCTIONS(EMULSION_FIND)
#undef EMULSION_FIND
    return true;
}

const char *opencl_error_name(cl_int error) {
#define EMULSION_NAME(name) \
    case name: return #name;
    switch (error) {
        EMULSION_NAME(CL_SUCCESS)
        EMULSION_NAME(CL_DEVICE_NOT_FOUND)
        EMULSION_NAME(CL_DEVICE_NOT_AVAILABLE)
        EMULSION_NAME(CL_COMPILER_NOT_AVAILABLE)
        EMULSION_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        EMULSION_NAME(CL_OUT_OF_RESOURCES)
        EMULSION_NAME(CL_OUT_OF_HOST_MEMORY)
        EMULSION_NAME(CL_MEM_COPY_OVERLAP)
        EMULSION_NAME(CL_BUILD_PROGRAM_FAILURE)
        EMULSION_NAME(CL_INVALID_VALUE)
        EMULSION_NAME(CL_INVALID_PLATFORM)
        EMULSION_NAME(CL_INVALID_DEVICE)
        EMULSION_NAME(CL_INVALID_CONTEXT)
        EMULSION_NAME(CL_INVALID_QUEUE_PROPERTIES)
        EMULSION_NAME(CL_INVALID_COMMAND_QUEUE)
        EMULSION_NAME(CL_INVALID_BUILD_OPTIONS)
        EMULSION_NAME(CL_INVALID_PROGRAM)
        EMULSION_NAME(CL_INVALID_PROGRAM_EXECUTABLE)
        EMULSION_NAME(CL_INVALID_KERNEL_NAME)
        EMULSION_NAME(CL_INVALID_KERNEL_DEFINITION)
        EMULSION_NAME(CL_INVALID_KERNEL)
        EMULSION_NAME(CL_INVALID_ARG_INDEX)
        EMULSION_NAME(CL_INVALID_ARG_VALUE)
        EMULSION_NAME(CL_INVALID_ARG_SIZE)
        EMULSION_NAME(CL_INVALID_KERNEL_ARGS)
        EMULSION_NAME(CL_INVALID_WORK_DIMENSION)
        EMULSION_NAME(CL_INVALID_WORK_GROUP_SIZE)
        EMULSION_NAME(CL_INVALID_WORK_ITEM_SIZE)
        EMULSION_NAME(CL_INVALID_OPERATION)
        EMULSION_NAME(CL_INVALID_BUFFER_SIZE)
        EMULSION_NAME(CL_INVALID_GLOBAL_WORK_SIZE)
    case -1001: return "CL_PLATFORM_NOT_FOUND_KHR";
    default: return "unknown error";
    }
#undef EMULSION_NAME
}

bool succeeded(cl_int error, const char *call, Message *why) {
    return error == CL_SUCCESS ||
           why->set("OpenCL: %s failed: %s (%d)", call, opencl_error_name(error), error);
}

}  // namespace emulsion::runtime::gpu
