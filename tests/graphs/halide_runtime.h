// Halide's run-time system, before processes are forked that need it.
#pragma once

#include <Halide.h>

namespace emulsion::test {

// Each process would compile it for itself otherwise: half of the time that a small graph takes.
void compile_halide_runtime(const Halide::Target &target);

}  // namespace emulsion::test
