// What compilers end with of the code of a stage.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/image/image_graph.h"
#include "fusion/image/stage_cost.h"

namespace emulsion {

struct CodeLimits {
    int64_t lanes = kAnyNumber;         // of a vector: a power of two
    int64_t side_by_side = kAnyNumber;  // elements, those along an axis that is unrolled left out
};

// What holds for two stages whose code is in one loop.
CodeLimits both(const CodeLimits &a, const CodeLimits &b);

// Of all definitions together.
CodeLimits code_limits(const ImageStage &stage, const std::vector<DefinitionCost> &costs);

}  // namespace emulsion
