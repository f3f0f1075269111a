// What the fake driver knows. All functions want the lock to be held.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>

#include "tests/gpu_runtime/fake_hip/fake_hip.h"

namespace fake_hip {

struct Function {
    std::string name;
};

struct Module {
    std::map<std::string, Function> functions;
};

struct Line {
    std::string call;
    std::string text;
};

struct State {
    std::recursive_mutex mutex;
    std::deque<Line> lines;
    std::map<char *, size_t> blocks;  // device memory
    size_t live_bytes = 0;
    std::set<Module *> modules;
    std::set<hipStream_t> streams{nullptr};
    std::map<hipStream_t, std::vector<std::function<void()>>> work;
    std::map<std::string, std::pair<FakeHipKernel, void *>> kernels;
};

State &state();

// The result that the environment asks for. To be asked before the call is recorded.
hipError_t wanted_failure(const char *call);
// Of a call that needs device 0: this one, or that another device is current.
hipError_t wanted_on_device(const char *call);
// Writes the line and gives back the result.
hipError_t record(const char *call, const std::string &fields, hipError_t result);

bool is_device_memory(const void *memory, size_t bytes);
void run_stream(hipStream_t stream);
void run_all();

}  // namespace fake_hip
