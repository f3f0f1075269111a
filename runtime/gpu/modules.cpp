#include "runtime/gpu/modules.h"

#include <cstdlib>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace emulsion::runtime::gpu {

struct Kernel {
    char *name;
    void *handle;
    Kernel *next;
};

// Stays in the list for good, because variables beside the code point to it.
struct Module {
    size_t bytes;
    XXH128_hash_t hash;
    void *handle;  // null: not loaded
    Kernel *kernels;
    int uses;
    Module *next;
};

namespace {

void unload(const Driver &driver, Module *module) {
    while (module->kernels != nullptr) {
        Kernel *kernel = module->kernels;
        module->kernels = kernel->next;
        driver.drop_kernel(kernel->handle);
        std::free(kernel->name);
        std::free(static_cast<void *>(kernel));
    }
    driver.unload(module->handle);
    module->handle = nullptr;
}

}  // namespace

// By content: equal code of several libraries is loaded once, and other code that came to lie at the
// address of a library which was unloaded isn't mistaken for the old one.
Module *Modules::find(const char *source, size_t bytes) {
    const XXH128_hash_t hash = XXH3_128bits(source, bytes);
    for (Module *module = first_; module != nullptr; module = module->next) {
        if (module->bytes == bytes && XXH128_isEqual(module->hash, hash) != 0) {
            return module;
        }
    }
    auto *module = static_cast<Module *>(std::calloc(1, sizeof(Module)));
    if (module != nullptr) {
        module->bytes = bytes;
        module->hash = hash;
        module->next = first_;
        first_ = module;
    }
    return module;
}

bool Modules::begin_use(const Driver &driver, void **state, const char *source, size_t bytes,
                        Message *why) {
    const Locked lock(mutex_);
    auto *module = static_cast<Module *>(*state);
    if (module == nullptr || module->bytes != bytes) {
        module = find(source, bytes);
        if (module == nullptr) {
            return why->set("%s: the host's memory is used up", driver.name);
        }
    }
    if (module->handle == nullptr && !driver.load(source, bytes, &module->handle, why)) {
        module->handle = nullptr;
        return false;
    }
    module->uses++;
    // Generated code reads it without a lock, perhaps just now in another thread.
    if (*state != module) {
        *state = module;
    }
    return true;
}

void Modules::end_use(void *state) {
    const Locked lock(mutex_);
    auto *module = static_cast<Module *>(state);
    if (module != nullptr && module->uses > 0) {
        module->uses--;
    }
}

bool Modules::find_kernel(const Driver &driver, void *state, const char *name, void **kernel,
                          Message *why) {
    const Locked lock(mutex_);
    auto *module = static_cast<Module *>(state);
    if (module == nullptr || module->handle == nullptr) {
        return why->set("%s: kernel %s is launched before its code was loaded", driver.name, name);
    }
    for (Kernel *known = module->kernels; known != nullptr; known = known->next) {
        if (std::strcmp(known->name, name) == 0) {
            *kernel = known->handle;
            return true;
        }
    }
    if (!driver.find_kernel(module->handle, name, kernel, why)) {
        return false;
    }
    auto *known = static_cast<Kernel *>(std::malloc(sizeof(Kernel)));
    char *copy = strdup(name);
    if (known == nullptr || copy == nullptr) {
        std::free(static_cast<void *>(known));
        std::free(copy);
        driver.drop_kernel(*kernel);
        return why->set("%s: the host's memory is used up", driver.name);
    }
    *known = {copy, *kernel, module->kernels};
    module->kernels = known;
    return true;
}

void Modules::trim(const Driver &driver) {
    const Locked lock(mutex_);
    for (Module *module = first_; module != nullptr; module = module->next) {
        if (module->uses == 0 && module->handle != nullptr) {
            unload(driver, module);
        }
    }
}

}  // namespace emulsion::runtime::gpu
