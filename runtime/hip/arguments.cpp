#include "runtime/hip/arguments.h"

#include <cstring>

#include <HalideRuntime.h>

namespace emulsion::runtime::gpu {

namespace {

bool is_natural(size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

}  // namespace

bool pack_arguments(const Launch &launch, const char *kernel, PackedArguments *packed,
                    Message *why) {
    packed->size = 0;
    for (int i = 0; launch.sizes[i] != 0; i++) {
        const size_t size = launch.sizes[i];
        if (!is_natural(size)) {
            return why->set("kernel %s: argument %d has %zu bytes, which isn't supported", kernel,
                            i, size);
        }
        const size_t at = (packed->size + size - 1) / size * size;
        if (at + size > PackedArguments::kMaxBytes) {
            return why->set("kernel %s: its arguments have more than %zu bytes", kernel,
                            PackedArguments::kMaxBytes);
        }
        const void *value = launch.arguments[i];
        if (launch.is_buffer[i] != 0) {
            value = &static_cast<const halide_buffer_t *>(value)->device;
        }
        std::memset(packed->bytes + packed->size, 0, at - packed->size);
        std::memcpy(packed->bytes + at, value, size);
        packed->size = at + size;
    }
    return true;
}

}  // namespace emulsion::runtime::gpu
