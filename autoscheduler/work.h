// How much there is to compute: operations of expressions, elements of operands that are read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autoscheduler/func_facts.h"

namespace emulsion {

// Operations (autoscheduler/operation_count.h) and reads of all of an operator, in elements: `extents` are
// those of the result. Reductions of unknown extent count once.
double operation_count(const std::vector<FuncFacts> &parts, const std::vector<int64_t> &extents);
// Of one part, where the operator's result is `result`.
double operation_count(const FuncFacts &part, const FuncFacts &result,
                       const std::vector<int64_t> &extents);

// Elements that it has.
double element_count(const FuncFacts &part, const FuncFacts &result,
                     const std::vector<int64_t> &extents);

// How often all of the operator reads an element of `tensor`, as a loop nest does that keeps a block of
// results in registers: a product reads what has none of the block's columns once for all of them.
double read_count(const std::vector<FuncFacts> &parts, const std::string &tensor,
                  const std::vector<int64_t> &extents);

}  // namespace emulsion
