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

}  // namespace emulsion
