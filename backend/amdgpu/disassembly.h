// Device code as instructions: what a kernel consists of, and what its hottest loop does. Needs
// llvm-objdump of LLVM 19.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/amdgpu/instruction_mix.h"

namespace emulsion {

struct KernelDisassembly {
    std::string kernel;
    InstructionMix whole;
    // Of the loops (from the target of a backward branch to the branch) the one with the most
    // multiply-adds of its own, which are those in none of the loops inside it; integer ones decide
    // where there are no others. The whole kernel where no loop has any: it was unrolled.
    InstructionMix hottest;
    bool hottest_is_loop = false;

    double fma_share() const { return hottest.fma_share(); }
};

// Per kernel, in the order of the code. Throws Error (failed) when the tool isn't there or ended with
// an error.
std::vector<KernelDisassembly> disassemble(std::string_view code_object,
                                           const std::string &tool = "llvm-objdump-19");

// The same of llvm-objdump's output. `wavefront`: lanes of a wave.
std::vector<KernelDisassembly> read_disassembly(std::string_view text, int wavefront);

}  // namespace emulsion
