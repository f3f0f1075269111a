// From objects to the artifact's libraries, with the system's C compiler and binutils.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace emulsion {

struct LinkInputs {
    std::string name;  // of the artifact
    // C sources; NAME.h lies beside them.
    std::vector<std::filesystem::path> tables;
    std::vector<std::filesystem::path> units;  // objects
    std::filesystem::path halide_runtime;      // object
    std::filesystem::path gpu_runtime;         // archive; empty: there is none
    std::filesystem::path scratch;             // folder for intermediate files
    bool sanitized = false;                    // units call the address sanitizer's runtime
    // Functions of the sources that others see; empty: those of the C API.
    std::vector<std::string> exports{};
};

// Writes lib<name>.so and lib<name>.a: both define the C API and nothing else that others could see,
// need the C library and nothing else, and their bytes depend on nothing but the inputs' bytes.
// No archive where its path is empty. Throws Error (failed).
void link_artifact(const LinkInputs &inputs, const std::filesystem::path &library,
                   const std::filesystem::path &archive);

}  // namespace emulsion
