#include "runtime/gpu/kernels.h"

#include <HalideRuntime.h>

#include "runtime/gpu/device_state.h"

namespace emulsion::runtime::gpu {

namespace {

bool check_buffers(const Device &device, const char *kernel, const Launch &launch, Message *why) {
    for (int i = 0; launch.sizes[i] != 0; i++) {
        if (launch.is_buffer[i] == 0) {
            continue;
        }
        const auto *buffer = static_cast<const halide_buffer_t *>(launch.arguments[i]);
        if (launch.sizes[i] != sizeof buffer->device || buffer->device == 0) {
            return why->set("%s: kernel %s is launched with a buffer that has no device memory "
                            "(argument %d)",
                            device.driver->name, kernel, i);
        }
    }
    return true;
}

}  // namespace

int initialize_kernels(Device &device, void *user_context, void **state, const char *source,
                       int bytes) {
    Message why;
    if (open_device(device, &why) == nullptr ||
        !device.modules.begin_use(*device.driver, state, source, static_cast<size_t>(bytes),
                                  &why)) {
        return report(user_context, halide_error_code_gpu_device_error, "%s", why.text);
    }
    return 0;
}

void finalize_kernels(Device &device, void *state) {
    if (state_of(device) == DeviceState::kOpen) {
        device.modules.end_use(state);
    }
}

int run_kernel(Device &device, void *user_context, void *state, const char *name,
               const Launch &launch) {
    if (launch.blocks[0] <= 0 || launch.blocks[1] <= 0 || launch.blocks[2] <= 0) {
        return 0;
    }
    Message why;
    void *kernel = nullptr;
    if (open_device(device, &why) == nullptr ||
        !device.modules.find_kernel(*device.driver, state, name, &kernel, &why) ||
        !check_buffers(device, name, launch, &why)) {
        return report(user_context, halide_error_code_device_run_failed, "%s", why.text);
    }
    Stream stream = nullptr;
    const int error = find_stream(device, user_context, &stream);
    if (error != 0) {
        return error;
    }
    if (!device.driver->launch(kernel, name, launch, stream, &why)) {
        return report(user_context, halide_error_code_device_run_failed, "%s", why.text);
    }
    return 0;
}

}  // namespace emulsion::runtime::gpu
