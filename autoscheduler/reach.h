// Footprints from index expressions: what the elements of a Func read of a tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "autoscheduler/func_facts.h"
#include "fusion/footprint.h"

namespace emulsion {

// How far `index` moves when `variable` grows by one; nothing if that depends on where.
std::optional<int64_t> coefficient(const Halide::Expr &index, const std::string &variable);

// What the result, the last of `parts`, needs of `tensor`, which has `rank` axes, through all of the
// parts. Exact for indices that are affine in one variable of the result; axes that are read in another
// way are read whole.
Footprint footprint_of(const std::vector<FuncFacts> &parts, const std::string &tensor, size_t rank);

}  // namespace emulsion
