// The kernel launches of a module that Halide lowered for its OpenCL device API: what the code on the
// host passes to halide_opencl_run(), or, in a module that was rewritten, to halide_hip_run().
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Halide.h>

#include "backend/amdgpu/kernel_source.h"

namespace emulsion {

struct LaunchArgument {
    std::string name;   // of the buffer or the scalar, as the module has it
    Halide::Type type;  // of a scalar; a buffer is a handle
    int bytes = 0;      // as a kernel argument: 8 for a buffer
    bool is_buffer = false;
    std::optional<int64_t> number;  // a scalar's, where it follows from constants
};

struct KernelLaunch {
    std::string kernel;
    std::array<Halide::Expr, 3> grid;   // workgroups
    std::array<Halide::Expr, 3> block;  // threads of each
    Halide::Expr lds_bytes;             // of each workgroup
    // The same where the code on the host computes it from constants.
    std::optional<int64_t> computed_lds_bytes;
    std::vector<LaunchArgument> arguments;  // in the order of the kernel's parameters
};

// A tensor between kernels of one module, which the code on the host allocates on the GPU.
struct KernelBuffer {
    struct Dimension {
        Halide::Expr min, extent, stride;
    };
    std::string name;  // as the launches' arguments have it
    Halide::Type type;
    std::vector<Dimension> dimensions;
};

// In the order of the module's functions and their statements; expressions are simplified. Throws Error
// (failed) for a call of a form that Halide 21 doesn't generate.
std::vector<KernelLaunch> collect_launches(const Halide::Module &module);
// Of its own, by the order of their definitions.
std::vector<KernelBuffer> collect_buffers(const Halide::Module &module);

// The value of a constant, nothing for what is only known when it runs.
std::optional<int64_t> constant_value(const Halide::Expr &e);
std::optional<std::array<int, 3>> constant_block(const KernelLaunch &launch);

// What the launches of each kernel agree on, by the order of their first launches.
std::vector<KernelShape> kernel_shapes(std::span<const KernelLaunch> launches);

}  // namespace emulsion
