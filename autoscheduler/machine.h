// The planner's machine constants, from a Halide target.
#pragma once

#include <Halide.h>

#include "fusion/machine.h"

namespace emulsion {

// Vector width and registers from the target's features; caches are those of a typical core of that
// kind, because a target says nothing about them. `threads` is the caller's.
Machine machine_of(const Halide::Target &target, int threads);

}  // namespace emulsion
