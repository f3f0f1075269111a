// Conditions that hold for single elements along an axis.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace emulsion {

// By argument: whether some condition in the expressions compares what is computed of it for equality. Of what is read
// under y == 0, by a block of rows, Halide 21 takes a region for needed that is larger than the block.
std::vector<bool> pinned_axes(const std::vector<std::string> &args,
                              const std::vector<Halide::Expr> &expressions);

}  // namespace emulsion
