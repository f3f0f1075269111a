// The planner's machine constants, from a Halide target.
#pragma once

#include <Halide.h>

#include "fusion/machine.h"

namespace emulsion {

// The chip (fusion/chips.h) whose figures stand for those of an unknown GPU.
inline constexpr const char *kAnyGpu = "gfx906";

// Vector width and registers from the target's features; caches are those of a typical core of that
// kind, because a target says nothing about them. `threads` is the caller's. Of a target with a GPU's API it is
// the GPU that kernels run on; which one a target doesn't say either, and it is taken to be kAnyGpu.
Machine machine_of(const Halide::Target &target, int threads);

}  // namespace emulsion
