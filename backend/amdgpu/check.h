// Whether a code object is what the launches that use it take it for, and whether it runs on its chip
// as it should: in registers and LDS, without memory of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backend/amdgpu/code_object.h"
#include "backend/amdgpu/launches.h"
#include "fusion/chips.h"

namespace emulsion {

enum class FindingKind {
    Spill,        // vector registers were spilled
    ScalarSpill,  // scalar ones alone, to lanes of vector registers: slower, but not through memory
    Scratch,      // lanes have memory of their own (an array that isn't in registers)
    Registers,    // so many that not one workgroup fits
    Lds,          // likewise
    Threads,      // more than a workgroup may have
    DynamicStack,  // a call whose depth isn't known
    Arguments,     // the kernarg segment isn't laid out as the launch fills it
    Workgroup,     // compiled for another size of workgroup
    Missing,       // a launched kernel isn't there
    Undefined,     // a symbol that nothing defines
    Target,        // code for another chip
};

struct Finding {
    std::string kernel;  // "" where it is about the whole code object
    FindingKind kind = FindingKind::Missing;
    std::string sentence;
};

// Whether smaller tiles or less unrolling can mend it; the other kinds are mistakes.
bool smaller_schedule_helps(FindingKind kind);
// Whether the kernel runs as it should nevertheless, though it could be faster.
bool runs_nevertheless(FindingKind kind);

// A finding for users: "kernel 'K' for gfx906: ...", with what helps where a smaller schedule does.
std::string describe(const Finding &finding, const std::string &chip);

// Nothing for a code object with which all is well.
std::vector<Finding> check_code_object(const CodeObject &object,
                                       std::span<const KernelLaunch> launches, const Chip &chip);

// What can be said before there is code, which clang refuses to make then: too much LDS, too many
// threads.
std::vector<Finding> check_launches(std::span<const KernelLaunch> launches, const Chip &chip);

// Waves that a SIMD of the chip keeps of the kernel, launched as it is: with the launch's threads and
// the LDS that it adds. The most that a launch may have where they aren't known. 0: it can't run.
int kernel_waves_per_simd(const KernelCode &kernel, const KernelLaunch &launch, const Chip &chip);

// Offsets of the arguments when they are packed in order, each aligned to its size; the bytes of all.
std::vector<int64_t> packed_offsets(std::span<const LaunchArgument> arguments);
int64_t packed_bytes(std::span<const LaunchArgument> arguments);

}  // namespace emulsion
