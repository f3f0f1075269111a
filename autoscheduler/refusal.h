// How the plugin tells its callers, who know Halide's exceptions only, that it refuses something.
#pragma once

#include <string_view>

namespace emulsion {

// What the plugin refuses is a Halide::CompileError whose text begins with this; Halide's own begin otherwise.
inline constexpr std::string_view kRefusal = "Gao2025: ";

}  // namespace emulsion
