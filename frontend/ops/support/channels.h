// Channels of grouped convolutions.
#pragma once

#include <cstdint>

#include "frontend/ops/operator.h"

namespace emulsion {

struct ChannelGroups {
    int64_t group = 1;  // how many groups
    int64_t in_per_group = 1;
    int64_t out_per_group = 1;

    // Input channel of output channel `c`, where `ci` counts those of its group.
    Halide::Expr input(const Halide::Expr &c, const Halide::Expr &ci) const;
    // Output channel `c` counted inside its group.
    Halide::Expr output_in_group(const Halide::Expr &c) const;
};

// Throws Error unless attribute group, which is returned, is positive and divides both numbers of
// channels.
int64_t checked_group(const OperatorContext &context, int64_t in, int64_t out);
// Throws Error unless attribute kernel_shape, if present, is the spatial extents of the weights
// (operand 1), which are returned.
std::vector<int64_t> checked_kernel(const OperatorContext &context);
// Throws Error unless operand 1 has the channels of operand 0's groups along its second axis, and operand 2, if present,
// one bias per output channel.
void require_convolution_weights(const OperatorContext &context);

// Of variables `v`: the sum of `product` over its reduction, and of operand 2, if present, at `bias_at`.
Halide::Func convolution_sum(OperatorContext &context, const std::vector<Halide::Var> &v,
                             const std::vector<Halide::Expr> &bias_at, const Halide::Expr &product);

}  // namespace emulsion
