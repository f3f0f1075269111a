#include "frontend/lower/target.h"

#include <Halide.h>

#include <algorithm>

#include "autoscheduler/machine.h"
#include "fusion/chips.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kAmdgpu = "amdgpu-";
// Code that only launches kernels runs on every CPU.
constexpr const char *kLauncher = "x86-64-linux";

Error not_accepted(const std::string &text) {
    return Error("unknown target '" + text +
                 "'; accepted are 'host', Halide targets such as 'x86-64-linux-avx2-fma' or "
                 "'x86-64-linux-avx512_skylake-avx2-fma', 'amdgpu-CHIP,...' such as "
                 "'amdgpu-gfx906,gfx1100', 'host-opencl' and 'host-cuda'");
}

TargetChoice cpu(const std::string &text) {
    if (!Halide::Target::validate_target_string(text)) {
        throw not_accepted(text);
    }
    Halide::Target target(text);
#ifdef EMULSION_SANITIZE
    // A sanitized build runs what it compiles: let that code be checked as well.
    target.set_feature(Halide::Target::ASAN);
#endif
    if (target.arch != Halide::Target::X86 || target.bits != 64 ||
        target.os != Halide::Target::Linux || target.has_gpu_feature()) {
        throw Error("target '" + text +
                    "' is not supported; accepted are x86-64-linux targets, "
                    "'amdgpu-CHIP,...', 'host-opencl' and 'host-cuda'");
    }
    return {target.to_string(), target.to_string(), {}, false, ""};
}

// As opposed to a chip.
bool is_cpu(const std::string &text) { return text == "host" || text.starts_with("x86-"); }

TargetChoice amdgpu(const std::string &text) {
    TargetChoice target{"", std::string(kLauncher) + "-opencl", {}, true, ""};
    std::string rest = text.substr(std::string(kAmdgpu).size()) + ",";
    while (!rest.empty()) {
        const size_t end = rest.find(',');
        const std::string name = rest.substr(0, end);
        rest = rest.substr(end + 1);
        if (rest.empty() && !target.chips.empty() && is_cpu(name)) {
            target.fallback = cpu(name).name;
            target.name += "," + target.fallback;
            break;
        }
        const std::string chip = find_chip(name).name;
        if (std::find(target.chips.begin(), target.chips.end(), chip) != target.chips.end()) {
            std::string message = "target '" + text;
            message += "' names " + chip + " twice";
            throw Error(message);
        }
        target.chips.push_back(chip);
        target.name += (target.name.empty() ? kAmdgpu : ",") + chip;
    }
    return target;
}

}  // namespace

TargetChoice target_choice(const std::string &text) {
    if (text.starts_with(kAmdgpu)) {
        return amdgpu(text);
    }
    for (const std::string api : {"opencl", "cuda"}) {
        if (text == "host-" + api) {
            return {text, std::string(kLauncher) + "-" + api, {}, true, ""};
        }
    }
    return cpu(text);
}

Machine machine_of(const TargetChoice &target, int threads) {
    const Halide::Target halide(target.halide);
    return target.chips.empty() ? machine_of(halide, threads)
                                : machine_of(find_chip(target.chips.front()));
}

}  // namespace emulsion
