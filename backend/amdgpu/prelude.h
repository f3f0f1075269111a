// Files of this folder that are part of the program, as text (see emulsion_embed() in cmake/).
#pragma once

#include <string_view>

namespace emulsion {

std::string_view amdgpu_prelude();  // backend/amdgpu/prelude.cl

}  // namespace emulsion
