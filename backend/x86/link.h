// From objects to the artifact's shared library, with the system's C compiler.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace emulsion {

struct LinkInputs {
    std::string name;                          // of the artifact
    std::filesystem::path tables;              // C source; NAME.h lies beside it
    std::vector<std::filesystem::path> units;  // objects
    std::filesystem::path halide_runtime;      // object
    std::filesystem::path scratch;             // folder for intermediate files
    bool sanitized = false;                    // units call the address sanitizer's runtime
};

// Writes lib<name>.so: exports the C API and nothing else, needs the C library and nothing else, and
// its bytes depend on nothing but the inputs' bytes. Throws Error (failed).
void link_library(const LinkInputs &inputs, const std::filesystem::path &library);

}  // namespace emulsion
