// What a network is compiled for, as users name it: a CPU, AMD GPUs by their chips, or whatever GPU an API of
// this machine finds.
//
//     host, x86-64-linux-avx2-fma-...          kernels for that CPU
//     amdgpu-gfx906, amdgpu-gfx906,gfx1100     code objects of every chip; planned for the first
//     amdgpu-gfx906,host                       and kernels for a CPU, for where there is no such GPU
//     host-opencl, host-cuda                   kernels for the GPU that OpenCL or CUDA finds when it runs
#pragma once

#include <string>
#include <vector>

#include "fusion/machine.h"

namespace emulsion {

struct TargetChoice {
    std::string name;                // canonical: equal targets, equal names
    std::string halide;              // Halide's target of the code; "-opencl" for AMD GPUs too
    std::vector<std::string> chips;  // of AMD GPUs
    bool on_gpu = false;
    std::string fallback;  // the CPU that runs it where no GPU can be used, as a target; or empty
};

// Throws Error for anything else, with what is accepted.
TargetChoice target_choice(const std::string &text);

// The machine to plan for: `threads` are a CPU's.
Machine machine_of(const TargetChoice &target, int threads);

}  // namespace emulsion
