// Outputs that have nothing to do with each other, and so are planned apart.
#pragma once

#include <Halide.h>

#include <vector>

namespace emulsion {

// The outputs in their order, those that share Funcs together. Plain reads of inputs don't count: what is decided of
// them is always the same.
std::vector<std::vector<Halide::Func>> unrelated_outputs(const std::vector<Halide::Func> &outputs);

}  // namespace emulsion
