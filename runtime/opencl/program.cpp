#include "runtime/opencl/program.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include <HalideRuntime.h>

#include "runtime/gpu/mutex.h"
#include "runtime/opencl/state.h"

namespace emulsion::runtime::gpu {

namespace {

// A kernel object holds the arguments of the next launch, so only one thread may prepare one.
struct OpenClKernel {
    cl_kernel handle;
    Mutex mutex;
};

// The line that tells what is wrong: compilers print warnings and counts before.
void first_error(const char *log, const char **line, int *length) {
    const char *error = std::strstr(log, "error:");
    const char *begin = error != nullptr ? error : log;
    while (begin > log && begin[-1] != '\n') {
        begin--;
    }
    *line = begin;
    *length = static_cast<int>(std::strcspn(begin, "\n"));
}

bool say_build_failed(cl_program program, cl_int error, Message *why) {
    size_t bytes = 0;
    (void)opencl.api.clGetProgramBuildInfo(program, opencl.device, CL_PROGRAM_BUILD_LOG, 0, nullptr,
                                           &bytes);
    auto *log = static_cast<char *>(std::calloc(bytes + 1, 1));
    if (log == nullptr ||
        opencl.api.clGetProgramBuildInfo(program, opencl.device, CL_PROGRAM_BUILD_LOG, bytes, log,
                                         nullptr) != CL_SUCCESS) {
        std::free(log);
        return succeeded(error, "clBuildProgram", why);
    }
    const char *line = nullptr;
    int length = 0;
    first_error(log, &line, &length);
    why->set("OpenCL: clBuildProgram failed: %s (%d): %.*s", opencl_error_name(error), error,
             length, line);
    std::free(log);
    return false;
}

bool set_arguments(cl_kernel kernel, const Launch &launch, Message *why) {
    cl_uint i = 0;
    for (; launch.sizes[i] != 0; i++) {
        const void *value = launch.arguments[i];
        if (launch.is_buffer[i] == 0) {
            if (!succeeded(opencl.api.clSetKernelArg(kernel, i, launch.sizes[i], value),
                           "clSetKernelArg", why)) {
                return false;
            }
            continue;
        }
        const auto address =
            static_cast<uintptr_t>(static_cast<const halide_buffer_t *>(value)->device);
        // NOLINTNEXTLINE(performance-no-int-to-ptr)
        const auto *memory = reinterpret_cast<const void *>(address);
        if (!succeeded(opencl.api.clSetKernelArgSVMPointer(kernel, i, memory),
                       "clSetKernelArgSVMPointer", why)) {
            return false;
        }
    }
    // Drivers refuse an array without bytes.
    const size_t shared =
        launch.shared_bytes > 0 ? static_cast<size_t>(launch.shared_bytes) : size_t{1};
    return succeeded(opencl.api.clSetKernelArg(kernel, i, shared, nullptr),
                     "clSetKernelArg (the __local one)", why);
}

}  // namespace

bool build_program(const char *source, size_t bytes, void **module, Message *why) {
    if (bytes > 0 && source[bytes - 1] == '\0') {
        bytes--;
    }
    cl_int error = CL_SUCCESS;
    cl_program program =
        opencl.api.clCreateProgramWithSource(opencl.context, 1, &source, &bytes, &error);
    if (!succeeded(error, "clCreateProgramWithSource", why)) {
        return false;
    }
    error = opencl.api.clBuildProgram(program, 1, &opencl.device, opencl.build_options, nullptr,
                                      nullptr);
    if (error != CL_SUCCESS) {
        say_build_failed(program, error, why);
        (void)opencl.api.clReleaseProgram(program);
        return false;
    }
    *module = program;
    return true;
}

// OpenCL keeps both alive until their launches have ended.
void release_program(void *module) {
    (void)opencl.api.clReleaseProgram(static_cast<cl_program>(module));
}

void drop_opencl_kernel(void *kernel) {
    (void)opencl.api.clReleaseKernel(static_cast<OpenClKernel *>(kernel)->handle);
    std::free(kernel);
}

bool find_opencl_kernel(void *module, const char *name, void **kernel, Message *why) {
    cl_int error = CL_SUCCESS;
    cl_kernel handle = opencl.api.clCreateKernel(static_cast<cl_program>(module), name, &error);
    if (error != CL_SUCCESS) {
        return why->set("OpenCL: clCreateKernel failed for kernel %s: %s (%d)", name,
                        opencl_error_name(error), error);
    }
    void *memory = std::malloc(sizeof(OpenClKernel));
    if (memory == nullptr) {
        (void)opencl.api.clReleaseKernel(handle);
        return why->set("OpenCL: the host's memory is used up");
    }
    *kernel = new (memory) OpenClKernel{handle, {}};
    return true;
}

bool launch_opencl_kernel(void *kernel, const char *name, const Launch &launch, Stream stream,
                          Message *why) {
    size_t threads[3];
    size_t all_threads[3];
    for (int i = 0; i < 3; i++) {
        threads[i] = static_cast<size_t>(launch.threads[i]);
        all_threads[i] = threads[i] * static_cast<size_t>(launch.blocks[i]);
    }
    auto *found = static_cast<OpenClKernel *>(kernel);
    const Locked lock(found->mutex);
    if (!set_arguments(found->handle, launch, why)) {
        return false;
    }
    const cl_int error = opencl.api.clEnqueueNDRangeKernel(
        queue_of(stream), found->handle, 3, nullptr, all_threads, threads, 0, nullptr, nullptr);
    return error == CL_SUCCESS ||
           why->set("OpenCL: clEnqueueNDRangeKernel failed for kernel %s: %s (%d)", name,
                    opencl_error_name(error), error);
}

}  // namespace emulsion::runtime::gpu
