// Coordinates of operands in terms of the coordinates of results. See operator.h for axes, to_exprs
// and broadcast.
#pragma once

#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// Coordinates in shape `from` of the element whose coordinates in shape `to` are `at`, where both
// shapes hold the same elements in the same (row-major) order.
//
// Axes that both sides share stay themselves: [N, C, H, W] to [N, C*H*W] gives
// (n, i1 / (H*W), i1 / W % H, i1 % W). Shapes have no axis of extent 0 and at most 2^31-1 elements.
std::vector<Halide::Expr> reshape(const std::vector<Halide::Expr> &at,
                                  const std::vector<int64_t> &from, const std::vector<int64_t> &to);

// One Func that copies operand 0 in its row-major order into the shape of result 0, and the checks
// for it: what Reshape and Flatten have in common.
Halide::Func build_reshape(OperatorContext &context);
void check_reshape(const OperatorContext &context, const std::vector<int64_t> &to);

}  // namespace emulsion
