// A device of this folder as the GPU of networks.
#pragma once

#include "runtime/gpu/device_state.h"
#include "runtime/gpu/gpu.h"

namespace emulsion::runtime::gpu {

// Whether there is code for `chip`; where `chips` is null, there will be.
bool is_one_of(const char *const *chips, const char *chip, Message *why);

template<Device &(*device)()>
struct Network {
    static int open(const char *const *chips, Message *why) {
        const DeviceFacts *facts = open_device(device(), why);
        if (facts == nullptr) {
            return lacks_library(device()) ? EMULSION_NO_DRIVER : EMULSION_NO_DEVICE;
        }
        return is_one_of(chips, facts->chip, why) ? EMULSION_OK : EMULSION_NO_DEVICE;
    }
    static const halide_device_interface_t *device_interface() { return device().interface; }

    static bool create(Stream *stream, Message *why) {
        return create_stream(device(), stream, why);
    }
    static bool destroy(Stream stream, Message *why) {
        return destroy_stream(device(), stream, why);
    }
    static bool wait(Stream stream, Message *why) { return synchronize(device(), stream, why); }

    static bool reserve(size_t bytes, Stream stream, void **memory, Message *why) {
        return allocate(device(), bytes, stream, memory, why);
    }
    static bool give_back(void *memory, size_t, Stream last_use, Message *why) {
        return release(device(), memory, last_use, why);
    }
    static bool send(void *to, const void *from, size_t bytes, Stream stream, Message *why) {
        return upload(device(), to, from, bytes, stream, why);
    }
    static bool fetch(void *to, const void *from, size_t bytes, Stream stream, Message *why) {
        return download(device(), to, from, bytes, stream, why);
    }
    static void empty() { trim(device()); }

    // NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is initialized by the compiler
    static constexpr EmulsionGpu kTable = {open,    device_interface, create, destroy, wait,
                                           reserve, give_back,        send,   fetch,   empty};
};

}  // namespace emulsion::runtime::gpu
