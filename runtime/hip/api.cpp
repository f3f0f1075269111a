#include "runtime/hip/api.h"

#include "runtime/gpu/library.h"

namespace emulsion::runtime::gpu {

namespace {

// The plain name comes with the development package, the numbered ones with ROCm 6, 5 and 7.
constexpr const char *kLibraries[] = {"libamdhip64.so",
                                      "libamdhip64.so.6",
                                      "libamdhip64.so.5",
                                      "libamdhip64.so.7",
                                      "/opt/rocm/lib/libamdhip64.so",
                                      nullptr};
constexpr const char *kPurpose = "no AMD GPU can be used";
constexpr const char *kRemedy =
    "install the package libamdhip64-5 (Debian) or hip-runtime-amd (ROCm)";

// Of its argument after the headers' macros were expanded in it.
#define EMULSION_TEXT_OF(tokens) #tokens
#define EMULSION_TEXT(macro) EMULSION_TEXT_OF(macro)
constexpr const char *kNeeded = "ROCm " EMULSION_TEXT(HIP_VERSION_MAJOR) " or newer is needed";

// What users can do about it.
const char *advice(hipError_t error) {
    switch (error) {
    case hipErrorOutOfMemory:
        return "; run with smaller inputs, or end other programs that use the GPU";
    case hipErrorNoDevice:
    case hipErrorInvalidDevice:
        return "; there is no GPU that HIP supports, its kernel driver amdgpu isn't loaded, the user may "
               "not open /dev/kfd (groups render and video), or HIP_VISIBLE_DEVICES hides it";
    case hipErrorNoBinaryForGpu:
    case hipErrorInvalidImage: return "; compile the program for this machine's GPU";
    default: return "";
    }
}

}  // namespace

bool succeeded(const HipApi &api, hipError_t error, const char *call, Message *why) {
    return error == hipSuccess || why->set("HIP: %s failed: %s (%d)%s", call,
                                           api.hipGetErrorName(error), error, advice(error));
}

bool load_hip(HipApi *api, Message *why) {
    void *library = open_library(kLibraries, "EMULSION_HIP_LIBRARY", kPurpose, kRemedy, why);
    if (library == nullptr) {
        return false;
    }
#define EMULSION_FIND(name)                                                                 \
    if (!find_function(library, EMULSION_TEXT(name), kPurpose, kNeeded, &api->name, why)) { \
        return false;                                                                       \
    }
    EMULSION_HIP_FUNCTIONS(EMULSION_FIND)
#undef EMULSION_FIND
    return true;
}

bool start_hip(const HipApi &api, Message *why) {
    int count = 0;
    if (!succeeded(api, api.hipInit(0), "hipInit", why) ||
        !succeeded(api, api.hipGetDeviceCount(&count), "hipGetDeviceCount", why)) {
        return false;
    }
    return count > 0 || succeeded(api, hipErrorNoDevice, "hipGetDeviceCount", why);
}

}  // namespace emulsion::runtime::gpu
