#include "runtime/hip/code.h"

#include <cstdlib>
#include <cstring>

#include "runtime/gpu/bundle_reader.h"
#include "runtime/hip/arguments.h"

namespace emulsion::runtime::gpu {

namespace {

// HIP reads the code object where it lies for as long as the module is loaded, so there is a copy of the
// bundle, whose library may be closed before.
struct HipModule {
    hipModule_t handle;
    char *bundle;
};

struct HipKernel {
    hipFunction_t handle;
    EmulsionBundleKernel facts;
};

// Alignment that loaders of code objects can count on.
constexpr size_t kPage = 4096;

HipModule *new_module(const char *bundle, size_t bytes) {
    auto *module = static_cast<HipModule *>(std::calloc(1, sizeof(HipModule)));
    if (module == nullptr) {
        return nullptr;
    }
    module->bundle =
        static_cast<char *>(std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage));
    if (module->bundle == nullptr) {
        std::free(static_cast<void *>(module));
        return nullptr;
    }
    std::memcpy(module->bundle, bundle, bytes);
    return module;
}

void destroy(HipModule *module) {
    std::free(module->bundle);
    std::free(static_cast<void *>(module));
}

bool is_compiled_for(const EmulsionBundleKernel &kernel, const int *threads) {
    for (int i = 0; i < 3; i++) {
        if (kernel.threads[i] != 0 && kernel.threads[i] != static_cast<uint32_t>(threads[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool load_bundle(const HipApi &api, const char *chip, const char *bundle, size_t bytes,
                 void **module, Message *why) {
    EmulsionBundleCode code;
    if (!choose_code(bundle, bytes, chip, &code, why)) {
        return false;
    }
    HipModule *loaded = new_module(bundle, bytes);
    if (loaded == nullptr) {
        return why->set("HIP: the host's memory is used up");
    }
    if (!succeeded(api, api.hipModuleLoadData(&loaded->handle, loaded->bundle + code.offset),
                   "hipModuleLoadData", why)) {
        destroy(loaded);
        return false;
    }
    *module = loaded;
    return true;
}

void unload_bundle(const HipApi &api, void *module) {
    auto *loaded = static_cast<HipModule *>(module);
    (void)api.hipDeviceSynchronize();
    (void)api.hipModuleUnload(loaded->handle);
    destroy(loaded);
}

bool find_hip_kernel(const HipApi &api, void *module, const char *name, void **kernel,
                     Message *why) {
    const auto *loaded = static_cast<const HipModule *>(module);
    HipKernel found;
    if (!find_bundle_kernel(loaded->bundle, name, &found.facts)) {
        return why->set("HIP: the program's code for the GPU has no kernel %s", name);
    }
    if (!succeeded(api, api.hipModuleGetFunction(&found.handle, loaded->handle, name),
                   "hipModuleGetFunction", why)) {
        return false;
    }
    auto *kept = static_cast<HipKernel *>(std::malloc(sizeof(HipKernel)));
    if (kept == nullptr) {
        return why->set("HIP: the host's memory is used up");
    }
    *kept = found;
    *kernel = kept;
    return true;
}

void drop_hip_kernel(void *kernel) { std::free(kernel); }

bool launch_hip_kernel(const HipApi &api, void *kernel, const char *name, const Launch &launch,
                       Stream stream, Message *why) {
    const auto &found = *static_cast<const HipKernel *>(kernel);
    const int *threads = launch.threads;
    if (!is_compiled_for(found.facts, threads)) {
        const uint32_t *compiled = found.facts.threads;
        return why->set(
            "HIP: kernel %s was compiled for blocks of %ux%ux%u threads, but is launched "
            "with %dx%dx%d",
            name, compiled[0], compiled[1], compiled[2], threads[0], threads[1], threads[2]);
    }
    PackedArguments packed;
    if (!pack_arguments(launch, name, &packed, why)) {
        return false;
    }
    const bool dynamic = (found.facts.flags & EMULSION_KERNEL_DYNAMIC_LDS) != 0;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, packed.bytes, HIP_LAUNCH_PARAM_BUFFER_SIZE,
                     &packed.size, HIP_LAUNCH_PARAM_END};
    const auto as_unsigned = [](int value) { return static_cast<unsigned int>(value); };
    const hipError_t error = api.hipModuleLaunchKernel(
        found.handle, as_unsigned(launch.blocks[0]), as_unsigned(launch.blocks[1]),
        as_unsigned(launch.blocks[2]), as_unsigned(threads[0]), as_unsigned(threads[1]),
        as_unsigned(threads[2]), dynamic ? as_unsigned(launch.shared_bytes) : 0,
        static_cast<hipStream_t>(stream), nullptr, extra);
    return error == hipSuccess ||
           why->set("HIP: hipModuleLaunchKernel failed for kernel %s: %s (%d)", name,
                    api.hipGetErrorName(error), error);
}

}  // namespace emulsion::runtime::gpu
