// Mapping types from index expressions: how the elements of one tensor map to
// those of a Func that reads it.
#pragma once

#include <string>
#include <vector>

#include "autoscheduler/func_facts.h"
#include "fusion/mapping_type.h"

namespace emulsion {

// Type of the edge from tensor `callee` (of extents `from`) to Func `facts` (of extents `to`).
// Extents decide what an axis of length 1 means, and whether a div/mod chain keeps the flattened
// order; unknown extents (empty vectors) make such chains Opaque.
MappingType mapping_type(const FuncFacts &facts, const std::string &callee,
                         const std::vector<int64_t> &from, const std::vector<int64_t> &to);

}  // namespace emulsion
