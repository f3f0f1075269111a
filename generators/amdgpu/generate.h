// What a generator makes for AMD GPUs.
#pragma once

#include "generators/amdgpu/command_line.h"

namespace emulsion {

// Runs the generator that the command names, lowers it for OpenCL, compiles the kernels for the chips
// and writes the outputs. Gao2025 plans for the first of the chips. Throws Error for an unknown
// generator, for one that launches no kernel, and with all findings where a kernel doesn't run on its
// chip as it should (spilled scalar registers alone are accepted, as in networks); Halide throws its own
// Error.
void generate_for_chips(const GeneratorCommand &command);

}  // namespace emulsion

// main() of a generator for AMD GPUs, which cmake/install/amdgpu_main.cpp calls: GenGen's where there is
// no chips=. What is wrong is told in a sentence on stderr.
extern "C" int emulsion_amdgpu_generator_main(int argc, char **argv);
