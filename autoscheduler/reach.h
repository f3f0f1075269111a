// Footprints from index expressions: what the elements of a Func read of a tensor.
#pragma once

#include <string>
#include <vector>

#include "autoscheduler/func_facts.h"
#include "fusion/footprint.h"

namespace emulsion {

// What the result, the last of `parts`, needs of `tensor`, which has `rank` axes, through all of the
// parts. Exact for indices that are affine in one variable of the result; axes that are read in another
// way are read whole.
Footprint footprint_of(const std::vector<FuncFacts> &parts, const std::string &tensor, size_t rank);

}  // namespace emulsion
