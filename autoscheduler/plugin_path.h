// Where programs of this project find the plugin that Halide loads.
#pragma once

#include <string>

namespace emulsion {

// libautoschedule_gao2025.so: ../lib beside this program's folder.
std::string gao2025_path();

}  // namespace emulsion
