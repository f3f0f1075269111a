// Steps of reads that only a call decides: strides and multipliers that are parameters or extents of inputs. Most often
// they are one, and then what is read for a vector lies side by side.
#pragma once

#include <Halide.h>

namespace emulsion {

// The index where all such steps in it, what it multiplies or divides by, are one.
Halide::Expr with_unit_steps(const Halide::Expr &index);

bool has_steps(const std::vector<Halide::Expr> &expressions);

// The condition that they are one in all that `f` is computed from; undefined where there are none.
Halide::Expr has_unit_steps(const Halide::Func &f);

}  // namespace emulsion
