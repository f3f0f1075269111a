// The Gao2025 plugin, loaded into this process the way any Halide program loads it.
#pragma once

#include <string>

namespace emulsion {

// Path of libautoschedule_gao2025.so: ../lib beside this program's folder.
std::string gao2025_path();

// Loads it once per process. Throws Error (kind Failed) where it is missing.
void load_gao2025();

}  // namespace emulsion
