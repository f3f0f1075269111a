#include "tests/gpu_runtime/fake_hip/state.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fake_hip {

State &state() {
    static State &it = *new State;  // never destroyed: programs free memory when they end
    return it;
}

namespace {

thread_local int current_device = 0;

}  // namespace

// "hipMalloc=2,hipFree#3=1"
hipError_t wanted_failure(const char *call) {
    const char *list = std::getenv("EMULSION_FAKE_HIP_FAIL");
    const std::string all = std::string(",") + (list != nullptr ? list : "");
    const std::string name = std::string(",") + call;
    for (const std::string &key :
         {name + "=", name + "#" + std::to_string(fake_hip_count(call) + 1) + "="}) {
        const size_t at = all.find(key);
        if (at != std::string::npos) {
            return static_cast<hipError_t>(std::strtol(all.c_str() + at + key.size(), nullptr, 10));
        }
    }
    return hipSuccess;
}

hipError_t wanted_on_device(const char *call) {
    return current_device == 0 ? wanted_failure(call) : hipErrorInvalidDevice;
}

hipError_t record(const char *call, const std::string &fields, hipError_t result) {
    const std::string text = "{\"call\":\"" + std::string(call) + "\"" +
                             (fields.empty() ? "" : ",") + fields +
                             ",\"result\":" + std::to_string(result) + "}";
    state().lines.push_back({call, text});
    if (const char *name = std::getenv("EMULSION_FAKE_HIP_LOG"); name != nullptr) {
        if (FILE *file = std::fopen(name, "ae"); file != nullptr) {
            std::fprintf(file, "%s\n", text.c_str());
            std::fclose(file);
        }
    }
    return result;
}

bool is_device_memory(const void *memory, size_t bytes) {
    auto *begin = static_cast<char *>(const_cast<void *>(memory));
    auto it = state().blocks.upper_bound(begin);
    if (it == state().blocks.begin()) {
        return false;
    }
    --it;
    return begin + bytes <= it->first + it->second;
}

void run_stream(hipStream_t stream) {
    auto work = std::move(state().work[stream]);
    state().work[stream].clear();
    for (const auto &step : work) {
        step();
    }
}

void run_all() {
    for (hipStream_t stream : state().streams) {
        run_stream(stream);
    }
}

}  // namespace fake_hip

using fake_hip::state;
using Lock = std::lock_guard<std::recursive_mutex>;

extern "C" {

hipError_t hipGetDevice(int *device) {
    *device = fake_hip::current_device;
    return hipSuccess;
}

hipError_t hipSetDevice(int device) {
    const Lock lock(state().mutex);
    const hipError_t result = fake_hip::wanted_failure("hipSetDevice");
    if (result == hipSuccess) {
        fake_hip::current_device = device;
    }
    return fake_hip::record("hipSetDevice", "\"device\":" + std::to_string(device), result);
}

int fake_hip_device() { return fake_hip::current_device; }

void fake_hip_set_device(int device) { fake_hip::current_device = device; }

size_t fake_hip_count(const char *call) {
    const Lock lock(state().mutex);
    size_t count = 0;
    for (const auto &line : state().lines) {
        count += call == nullptr || line.call == call ? 1 : 0;
    }
    return count;
}

const char *fake_hip_line(const char *call, size_t i) {
    const Lock lock(state().mutex);
    for (const auto &line : state().lines) {
        if ((call == nullptr || line.call == call) && i-- == 0) {
            return line.text.c_str();
        }
    }
    return "";
}

void fake_hip_clear() {
    const Lock lock(state().mutex);
    state().lines.clear();
}

size_t fake_hip_live_bytes() {
    const Lock lock(state().mutex);
    return state().live_bytes;
}

size_t fake_hip_live_modules() {
    const Lock lock(state().mutex);
    return state().modules.size();
}

void fake_hip_set_kernel(const char *name, FakeHipKernel kernel, void *closure) {
    const Lock lock(state().mutex);
    state().kernels[name] = {kernel, closure};
}
}
