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

// Where a pure Func reads `callee`, in terms of its own coordinates: what is added to them, per axis.
// Empty unless each coordinate is the one of the same axis, plus a constant, in every read.
std::vector<int64_t> read_offset(const FuncFacts &facts, const std::string &callee);

}  // namespace emulsion
