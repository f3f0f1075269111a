// The metadata note of a code object: a map in MessagePack.
#pragma once

#include <string_view>

#include "backend/amdgpu/code_object.h"

namespace emulsion {

// Target and kernels. Throws Error (failed) for bytes that are something else.
void read_metadata(std::string_view bytes, CodeObject *object);

}  // namespace emulsion
