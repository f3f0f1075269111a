// The names of Halide's OpenCL device runtime, and of Emulsion's HIP device runtime in their place.
#pragma once

#include <string_view>

#include <Halide.h>

namespace emulsion {

inline constexpr std::string_view kOpenClPrefix = "halide_opencl_";
inline constexpr std::string_view kHipPrefix = "halide_hip_";
// How the name of the buffer that holds a module's device code ends.
inline constexpr std::string_view kDeviceCodeEnding = "_gpu_source_kernels";

// The module's OpenCL text; undefined where it launches nothing, or holds a bundle already. Throws Error
// (failed) for a module with several, which share names then.
Halide::Buffer<> opencl_text(const Halide::Module &module);

}  // namespace emulsion
