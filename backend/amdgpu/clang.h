// OpenCL C to a code object for one chip: clang and lld of LLVM 19 and the bitcode of rocm-device-libs,
// run as programs of their own. Nothing is left behind, and nothing is written to the terminal.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "backend/cache.h"

namespace emulsion {

struct ClangOptions {
    std::string compiler = "clang-19";
    std::string linker = "ld.lld-19";
    std::filesystem::path bitcode = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";
    // What -ffp-contract gets. Other than with "fast" there is not one FMA: Halide writes the multiply
    // and the add as two statements.
    std::string fp_contract = "fast";
    // Division and square root of floats as IEEE 754 has them, so that rounding to integers gives what it
    // gives on the CPU. OpenCL allows a division's error to be 2.5 units in the last place, which takes
    // fewer instructions.
    bool exact_division = true;
    // Folder for files on their way, which are left behind there when we are killed; empty: the system's.
    std::filesystem::path temporary;
};

// May be used by several threads at once.
class DeviceCompiler {
public:
    // Code objects are looked for in `cache` first, and kept there; it may be null. Looks for the
    // programs: throws Error (failed) that names Debian's package when one isn't there.
    explicit DeviceCompiler(ClangOptions options = {}, const UnitCache *cache = nullptr);

    // The code object (ELF) of `source`, text as rewrite_kernels() gives it. Throws Error: for an
    // unknown chip, a missing file of rocm-device-libs, or with the compiler's first error.
    std::string compile(std::string_view source, const std::string &chip) const;

    // A hash of all that a code object for the chip depends on beside its source: versions and arguments of
    // the programs, prelude, and contents of the device libraries. Throws Error as compile() does.
    std::string identity(const std::string &chip) const;

private:
    ClangOptions options_;
    const UnitCache *cache_;
    std::string versions_;
    mutable std::mutex mutex_;                               // of what follows
    mutable std::map<std::string, std::string> identities_;  // by chip
};

}  // namespace emulsion
