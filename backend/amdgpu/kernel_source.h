// Halide's OpenCL C text, made fit for clang's amdgcn target. Halide writes its kernels for an OpenCL
// driver, which is told the size of a workgroup and of its local memory with each launch; the compiler
// wants both in the text:
//
//     __kernel void k(..., __local int16* tile)    one parameter more than the launch has arguments
//  -> __kernel __attribute__((reqd_work_group_size(16, 4, 4))) void k(...)
//     {
//      __local uchar tile[46080] __attribute__((aligned(16)));
//      int _thread_id_y = emulsion_thread_id(1, 16);     prelude.cl
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace emulsion {

// What a kernel's launches agree on.
struct KernelShape {
    std::string kernel;
    std::optional<std::array<int, 3>>
        block;                         // nothing: not known before it runs, or not always the same
    std::optional<int64_t> lds_bytes;  // likewise: LDS is then given with the launch
};

// The text with every kernel rewritten for its shape; text that was rewritten before comes back
// unchanged. The text's trailing NUL and Halide's empty kernel are dropped. Throws Error (failed) that
// names the kernel when the text isn't as Halide 21 writes it: a parameter of another form, a kernel
// without a shape or a shape without a kernel, local memory that is used otherwise than through a cast.
std::string rewrite_kernels(std::string_view text, std::span<const KernelShape> shapes);

}  // namespace emulsion
