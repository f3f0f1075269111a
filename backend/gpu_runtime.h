// What an artifact holds beside its units for the GPU that runs it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace emulsion {

struct GpuRuntime {
    std::string archive;  // of Emulsion's, beside the program (backend/files.h, library_file)
    std::string symbol;   // its EmulsionGpu (runtime/gpu/gpu.h)
    // What Halide's own runtime has to have, as features of a target; "" for none.
    std::string halide_features;
    std::string package;  // Debian's, with the headers that the archive is built with; "" for none
};

// For a target as users name it. Nothing for one that is a CPU alone.
std::optional<GpuRuntime> gpu_runtime(const std::string &target);

// Where the archive is. Throws Error (failed), naming the package, where Emulsion was built without it.
std::filesystem::path archive_file(const GpuRuntime &gpu);

}  // namespace emulsion
