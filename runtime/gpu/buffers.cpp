#include "runtime/gpu/buffers.h"

#include "runtime/gpu/copy.h"
#include "runtime/gpu/device_state.h"

namespace emulsion::runtime::gpu {

namespace {

// NOLINTNEXTLINE(performance-no-int-to-ptr)
void *memory_of(const halide_buffer_t &buffer) { return reinterpret_cast<void *>(buffer.device); }

void forget_memory(halide_buffer_t *buffer) {
    buffer->device = 0;
    buffer->device_interface = nullptr;
}

int ready(Device &device, void *user_context, Stream *stream) {
    Message why;
    if (open_device(device, &why) == nullptr) {
        return report(user_context, halide_error_code_gpu_device_error, "%s", why.text);
    }
    return find_stream(device, user_context, stream);
}

int size_of(const Device &device, void *user_context, const halide_buffer_t &buffer, size_t *size) {
    size_t elements = 1;
    for (int i = 0; i < buffer.dimensions; i++) {
        const halide_dimension_t &dim = buffer.dim[i];
        if (dim.stride < 0) {
            return report(user_context, halide_error_code_device_malloc_failed,
                          "%s: device memory can't be allocated for a buffer with a negative "
                          "stride (dimension %d: %d)",
                          device.driver->name, i, dim.stride);
        }
        if (dim.extent <= 0) {
            *size = 0;
            return 0;
        }
        elements += static_cast<size_t>(dim.stride) * (static_cast<size_t>(dim.extent) - 1);
    }
    *size = elements * static_cast<size_t>(buffer.type.bytes());
    return 0;
}

bool is_on(const Device &device, const halide_buffer_t &buffer) {
    return buffer.device != 0 && buffer.device_interface == device.interface;
}

}  // namespace

int device_malloc(Device &device, void *user_context, halide_buffer_t *buffer) {
    if (buffer->device != 0) {
        return 0;
    }
    Stream stream = nullptr;
    size_t size = 0;
    int error = ready(device, user_context, &stream);
    if (error == 0) {
        error = size_of(device, user_context, *buffer, &size);
    }
    if (error != 0) {
        return error;
    }
    Message why;
    void *memory = nullptr;
    if (!allocate(device, size, stream, &memory, &why)) {
        return report(user_context, halide_error_code_device_malloc_failed, "%s", why.text);
    }
    buffer->device = reinterpret_cast<uint64_t>(memory);
    buffer->device_interface = device.interface;
    return 0;
}

int device_free(Device &device, void *user_context, halide_buffer_t *buffer) {
    if (buffer->device == 0) {
        return 0;
    }
    Stream stream = nullptr;
    if (state_of(device) == DeviceState::kOpen) {
        const int error = ready(device, user_context, &stream);
        if (error != 0) {
            return error;
        }
    }
    Message why;
    if (!release(device, memory_of(*buffer), stream, &why)) {
        return report(user_context, halide_error_code_device_free_failed, "%s", why.text);
    }
    forget_memory(buffer);
    buffer->set_device_dirty(false);
    return 0;
}

int device_and_host_malloc(Device &device, void *user_context, halide_buffer_t *buffer) {
    size_t size = 0;
    int error = size_of(device, user_context, *buffer, &size);
    if (error != 0) {
        return error;
    }
    void *host = halide_malloc(user_context, size == 0 ? 1 : size);
    if (host == nullptr) {
        return report(user_context, halide_error_code_out_of_memory,
                      "%zu bytes of host memory could not be allocated", size);
    }
    error = device_malloc(device, user_context, buffer);
    if (error != 0) {
        halide_free(user_context, host);
        return error;
    }
    buffer->host = static_cast<uint8_t *>(host);
    return 0;
}

int device_and_host_free(Device &device, void *user_context, halide_buffer_t *buffer) {
    const int error = device_free(device, user_context, buffer);
    if (buffer->host != nullptr) {
        halide_free(user_context, buffer->host);
        buffer->host = nullptr;
    }
    buffer->set_host_dirty(false);
    buffer->set_device_dirty(false);
    return error;
}

int device_sync(Device &device, void *user_context) {
    Stream stream = nullptr;
    const int error = ready(device, user_context, &stream);
    if (error != 0) {
        return error;
    }
    Message why;
    if (!synchronize(device, stream, &why)) {
        return report(user_context, halide_error_code_device_sync_failed, "%s", why.text);
    }
    return 0;
}

int device_release(Device &device, void *user_context) {
    if (state_of(device) != DeviceState::kOpen) {
        return 0;
    }
    const int error = device_sync(device, user_context);
    trim(device);
    return error;
}

int buffer_copy(Device &device, void *user_context, const halide_buffer_t *from,
                const halide_device_interface_t *target, const halide_buffer_t *to) {
    // Halide goes through the host for data that only another device has.
    if ((target != nullptr && target != device.interface) ||
        ((from->device_dirty() || from->host == nullptr) && !is_on(device, *from))) {
        return halide_error_code_incompatible_device_interface;
    }
    const bool from_host = !is_on(device, *from) || (from->host_dirty() && from->host != nullptr);
    const bool to_host = target == nullptr;
    if (to_host ? to->host == nullptr : to->device == 0) {
        return report(user_context, halide_error_code_device_buffer_copy_failed,
                      "%s: a buffer is copied to one that has no memory %s", device.driver->name,
                      to_host ? "on the host" : "on the device");
    }
    Message why;
    CopyPlan plan;
    int error = plan_copy(*from, *to, &plan, &why);
    if (error != 0) {
        return report(user_context, error, "%s: %s", device.driver->name, why.text);
    }
    Stream stream = nullptr;
    error = ready(device, user_context, &stream);
    if (error != 0) {
        return error;
    }
    const uint64_t source = from_host ? reinterpret_cast<uint64_t>(from->host) : from->device;
    const uint64_t place = to_host ? reinterpret_cast<uint64_t>(to->host) : to->device;
    if (source == place && from_host == to_host && plan.from_offset == plan.to_offset) {
        return 0;
    }
    const Direction direction =
        from_host ? (to_host ? Direction::kHostToHost : Direction::kHostToDevice)
                  : (to_host ? Direction::kDeviceToHost : Direction::kDeviceToDevice);
    const bool waits = from_host != to_host && plan.piece > 0;
    const bool copied = copy(plan, {*device.driver, direction, stream}, source, place, &why);
    // Also after a failure: pieces before it may be under way.
    Message later;
    const bool waited = !waits || synchronize(device, stream, copied ? &why : &later);
    if (!copied || !waited) {
        return report(user_context, halide_error_code_device_buffer_copy_failed, "%s", why.text);
    }
    return 0;
}

int device_crop(Device &device, const halide_buffer_t *whole, halide_buffer_t *part) {
    int64_t elements = 0;
    for (int i = 0; i < whole->dimensions; i++) {
        elements += (int64_t{part->dim[i].min} - whole->dim[i].min) * whole->dim[i].stride;
    }
    part->device = whole->device + static_cast<uint64_t>(elements * whole->type.bytes());
    part->device_interface = device.interface;
    part->set_device_dirty(whole->device_dirty());
    return 0;
}

int device_slice(Device &device, const halide_buffer_t *whole, int dimension, int position,
                 halide_buffer_t *part) {
    const halide_dimension_t &dim = whole->dim[dimension];
    const int64_t elements = (int64_t{position} - dim.min) * dim.stride;
    part->device = whole->device + static_cast<uint64_t>(elements * whole->type.bytes());
    part->device_interface = device.interface;
    part->set_device_dirty(whole->device_dirty());
    return 0;
}

int wrap_native(Device &device, void *user_context, halide_buffer_t *buffer, uint64_t address) {
    if (buffer->device != 0) {
        return report(user_context, halide_error_code_device_wrap_native_failed,
                      "%s: a buffer that has device memory can't be given other memory",
                      device.driver->name);
    }
    if (address == 0) {
        buffer->device_interface = nullptr;
        return report(user_context, halide_error_code_device_wrap_native_failed,
                      "%s: a buffer can't be given device memory at address 0",
                      device.driver->name);
    }
    buffer->device = address;
    buffer->device_interface = device.interface;
    return 0;
}

int detach_native(Device &device, void *user_context, halide_buffer_t *buffer) {
    if (buffer->device == 0) {
        return 0;
    }
    if (buffer->device_interface != device.interface) {
        return report(user_context, halide_error_code_device_detach_native_failed,
                      "%s: the buffer's device memory belongs to another device interface",
                      device.driver->name);
    }
    forget_memory(buffer);
    return 0;
}

int compute_capability(Device &device, int *major, int *minor) {
    Message ignored;
    const DeviceFacts *facts = open_device(device, &ignored);
    *major = facts != nullptr ? facts->major : 0;
    *minor = facts != nullptr ? facts->minor : 0;
    return 0;
}

}  // namespace emulsion::runtime::gpu
