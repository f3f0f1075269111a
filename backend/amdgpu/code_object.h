// What a code object, the ELF file of compiled device code, says of itself: per kernel the registers
// and memory that it takes and the layout of its arguments (LLVM, "User Guide for AMDGPU Backend", Code
// Object V4 Metadata), and symbols that it lacks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emulsion {

struct KernelArgument {
    int64_t offset = 0;  // in the kernarg segment, bytes
    int64_t bytes = 0;
    std::string kind;  // global_buffer, by_value, dynamic_shared_pointer, hidden_...
    std::string type;  // as OpenCL writes it

    // Filled in by HIP, not by the caller.
    bool hidden() const { return kind.starts_with("hidden_"); }
    bool operator==(const KernelArgument &) const = default;
};

struct KernelCode {
    std::string name;
    int64_t vgprs = 0;  // of a lane, accumulators included
    int64_t agprs = 0;
    int64_t sgprs = 0;
    int64_t vgpr_spills = 0;
    int64_t sgpr_spills = 0;
    int64_t private_bytes = 0;  // scratch of a lane
    int64_t lds_bytes = 0;      // of a workgroup, without what the launch adds
    int64_t kernarg_bytes = 0;
    bool dynamic_stack = false;
    std::vector<KernelArgument> arguments;
    std::array<int64_t, 3> workgroup{};  // 0: any
    int64_t most_threads = 0;
    int64_t wavefront = 0;

    bool operator==(const KernelCode &) const = default;
};

struct CodeObject {
    std::string target;  // amdgcn-amd-amdhsa--gfx906, with its features
    std::vector<KernelCode> kernels;
    std::vector<std::string> undefined;  // symbols
};

// Throws Error (failed) for anything that isn't a whole code object, whatever the bytes are.
CodeObject read_code_object(std::string_view bytes);

}  // namespace emulsion
