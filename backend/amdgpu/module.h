// A module that Halide lowered for its OpenCL device API, turned into one that calls Emulsion's HIP
// device runtime and holds code objects instead of OpenCL text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Halide.h>

#include "backend/amdgpu/check.h"
#include "backend/amdgpu/clang.h"
#include "backend/amdgpu/code_object.h"
#include "backend/amdgpu/launches.h"

namespace emulsion {

struct HipOptions {
    const DeviceCompiler *compiler =
        nullptr;   // to be shared by many modules; null: one as it comes
    int jobs = 1;  // compilers at a time
};

// A module's code for one chip and what became known of it.
struct ChipCode {
    std::string chip;
    std::string code;  // "": not made, see the findings
    CodeObject object;
    std::vector<Finding> findings;
};

struct HipModule {
    // The module itself where it launches nothing or was rewritten before. Nothing where some chip got
    // no code.
    std::optional<Halide::Module> module;
    std::vector<KernelLaunch> launches;
    std::vector<KernelBuffer> buffers;  // between them
    std::string source;                 // OpenCL text that was compiled, without the prelude
    std::vector<ChipCode> chips;

    bool has_findings() const;
};

// `module` is left as it is; it has to be lowered for a target with opencl and no_runtime. Findings are
// no errors: the caller decides. Throws Error for unknown chips, for a module or text that isn't as
// Halide 21 makes it, and for what the compiler refuses.
HipModule rewrite_for_hip(const Halide::Module &module, const std::vector<std::string> &chips,
                          const HipOptions &options = {});

// The module with `bundle` in place of its OpenCL text and calls of the HIP device runtime in place of
// OpenCL's:
//
//     halide_opencl_initialize_kernels(state, text, 25645)
//  -> halide_hip_initialize_kernels(user_context, state, bundle, 41728)
//
// The target's features of OpenCL are gone. A module without OpenCL text comes back as it is.
Halide::Module with_hip_calls(const Halide::Module &module, const std::string &bundle);

}  // namespace emulsion
