// Device code that was loaded, and its kernels. A module is loaded when the first pipeline needs it and
// stays until trim() finds it unused, also if several programs bring the same code.
#pragma once

#include "runtime/gpu/driver.h"
#include "runtime/gpu/mutex.h"

namespace emulsion::runtime::gpu {

struct Module;

class Modules {
public:
    constexpr Modules() = default;

    // Loads the code unless that was done before, and counts a use of it. `*state` is a variable beside
    // the code: null, or what this function wrote to it earlier.
    bool begin_use(const Driver &driver, void **state, const char *source, size_t bytes,
                   Message *why);
    void end_use(void *state);

    // The driver's handle; only during a use.
    bool find_kernel(const Driver &driver, void *state, const char *name, void **kernel,
                     Message *why);

    // Unloads what is not in use.
    void trim(const Driver &driver);

private:
    Module *find(const char *source, size_t bytes);

    Mutex mutex_;
    Module *first_ = nullptr;
};

}  // namespace emulsion::runtime::gpu
