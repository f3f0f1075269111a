#include "runtime/opencl/driver.h"

#include <cstdio>
#include <cstdlib>

#include "runtime/gpu/mutex.h"
#include "runtime/opencl/choose.h"
#include "runtime/opencl/program.h"
#include "runtime/opencl/state.h"

namespace emulsion::runtime::gpu {

constinit OpenClState opencl{};

namespace {

// All queues but the first, because memory may only be freed when none uses it.
struct Queue {
    cl_command_queue handle;
    Queue *next;
};
Queue *queues = nullptr;
Mutex queues_mutex;

bool create_queue(cl_command_queue *queue, Message *why) {
    cl_int error = CL_SUCCESS;
    *queue = opencl.api.clCreateCommandQueueWithProperties(opencl.context, opencl.device, nullptr,
                                                           &error);
    return succeeded(error, "clCreateCommandQueueWithProperties", why);
}

// Halide's text has conditions on these two.
bool set_build_options(Message *why) {
    cl_ulong bytes = 0;
    cl_uint arguments = 0;
    const auto &api = opencl.api;
    if (!succeeded(api.clGetDeviceInfo(opencl.device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
                                       sizeof bytes, &bytes, nullptr),
                   "clGetDeviceInfo", why) ||
        !succeeded(api.clGetDeviceInfo(opencl.device, CL_DEVICE_MAX_CONSTANT_ARGS, sizeof arguments,
                                       &arguments, nullptr),
                   "clGetDeviceInfo", why)) {
        return false;
    }
    std::snprintf(opencl.build_options, sizeof opencl.build_options,
                  "-D MAX_CONSTANT_BUFFER_SIZE=%llu -D MAX_CONSTANT_ARGS=%u",
                  static_cast<unsigned long long>(bytes), arguments);
    return true;
}

bool find_library(Message *why) { return load_opencl(&opencl.api, why); }

bool open(DeviceFacts *facts, Message *why) {
    if (!choose_opencl_device(opencl.api, &opencl.device, why) ||
        !describe_opencl_device(opencl.api, opencl.device, facts, why) || !set_build_options(why)) {
        return false;
    }
    cl_int error = CL_SUCCESS;
    opencl.context =
        opencl.api.clCreateContext(nullptr, 1, &opencl.device, nullptr, nullptr, &error);
    return succeeded(error, "clCreateContext", why) && create_queue(&opencl.queue, why);
}

bool allocate(size_t bytes, void **memory, Message *why) {
    *memory = opencl.api.clSVMAlloc(opencl.context, CL_MEM_READ_WRITE, bytes, 0);
    return *memory != nullptr ||
           why->set("OpenCL: clSVMAlloc of %zu bytes failed; run with smaller inputs, or end other "
                    "programs that use the device",
                    bytes);
}

bool release(void *memory, Message *why) {
    const Locked lock(queues_mutex);
    cl_int error = opencl.api.clFinish(opencl.queue);
    for (Queue *queue = queues; queue != nullptr; queue = queue->next) {
        const cl_int result = opencl.api.clFinish(queue->handle);
        error = error == CL_SUCCESS ? result : error;
    }
    opencl.api.clSVMFree(opencl.context, memory);
    return succeeded(error, "clFinish", why);
}

bool copy(void *to, const void *from, size_t bytes, Direction, Stream stream, Message *why) {
    return succeeded(opencl.api.clEnqueueSVMMemcpy(queue_of(stream), CL_FALSE, to, from, bytes, 0,
                                                   nullptr, nullptr),
                     "clEnqueueSVMMemcpy", why);
}

bool create_stream(Stream *stream, Message *why) {
    auto *queue = static_cast<Queue *>(std::malloc(sizeof(Queue)));
    if (queue == nullptr) {
        return why->set("OpenCL: the host's memory is used up");
    }
    if (!create_queue(&queue->handle, why)) {
        std::free(static_cast<void *>(queue));
        return false;
    }
    const Locked lock(queues_mutex);
    queue->next = queues;
    queues = queue;
    *stream = queue->handle;
    return true;
}

// All under the lock: as long as the queue works, release() has to know of it.
bool destroy_stream(Stream stream, Message *why) {
    const Locked lock(queues_mutex);
    Queue **link = &queues;
    while (*link != nullptr && (*link)->handle != stream) {
        link = &(*link)->next;
    }
    if (*link == nullptr) {
        return why->set("OpenCL: the stream %p was not created here", stream);
    }
    Queue *queue = *link;
    const cl_int ended = opencl.api.clFinish(queue->handle);
    *link = queue->next;
    const cl_int released = opencl.api.clReleaseCommandQueue(queue->handle);
    std::free(static_cast<void *>(queue));
    return succeeded(ended, "clFinish", why) && succeeded(released, "clReleaseCommandQueue", why);
}

bool synchronize(Stream stream, Message *why) {
    return succeeded(opencl.api.clFinish(queue_of(stream)), "clFinish", why);
}

}  // namespace

constinit const Driver kOpenClDriver = {
    .name = "OpenCL",
    .find_library = find_library,
    .open = open,
    .allocate = allocate,
    .release = release,
    .copy = copy,
    .copy_rows = nullptr,  // shared virtual memory has no such command
    .load = build_program,
    .unload = release_program,
    .find_kernel = find_opencl_kernel,
    .drop_kernel = drop_opencl_kernel,
    .launch = launch_opencl_kernel,
    .create_stream = create_stream,
    .destroy_stream = destroy_stream,
    .synchronize = synchronize,
};

}  // namespace emulsion::runtime::gpu
