// Lists of integers that operators are given at compile time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// The list `name`: constant operand `index`, or, as older opsets have it, an attribute. Nothing if the
// node has neither.
std::optional<std::vector<int64_t>> operand_or_attribute(const OperatorContext &context, int index,
                                                         const std::string &name);

// `axes`, which count from the end if negative, as 0 .. rank-1. Throws Error naming `what` if one is
// out of range or named twice.
std::vector<int> distinct_axes(const OperatorContext &context, const std::vector<int64_t> &axes,
                               int rank, const std::string &what);

// 0, 1, ..., rank-1.
std::vector<int> all_axes(int rank);

// Throws Error, naming `what`, unless `values` has `count` elements.
void require_length(const OperatorContext &context, const std::vector<int64_t> &values,
                    size_t count, const std::string &what);

}  // namespace emulsion
