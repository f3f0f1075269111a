// Reductions: the domain, and the mean over axes that GlobalAveragePool and ReduceMean share.
#pragma once

#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// One coordinate per axis of a reduction, in the order of `extents`: the first is the innermost loop.
// All belong to one RDom. Axes of extent 1 are left out of it (their coordinate is 0), unless nothing
// would remain: an update needs an RVar.
std::vector<Halide::Expr> reduction_axes(const std::vector<int64_t> &extents);

// The mean of operand 0 over `reduced` (distinct axes, at least one), which stay in the result with
// extent 1 if `keep`.
std::vector<Halide::Func> build_mean(OperatorContext &context, const std::vector<int> &reduced,
                                     bool keep);

}  // namespace emulsion
