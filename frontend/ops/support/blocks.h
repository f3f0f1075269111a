// Blocks of pixels, which DepthToSpace and SpaceToDepth exchange with channels.
#pragma once

#include "frontend/ops/operator.h"

namespace emulsion {

// Attribute blocksize. Throws Error when it is missing or no block has that size.
int64_t block_size(const OperatorContext &context);

}  // namespace emulsion
