// What is done to the kernels of a pipeline after Halide has lowered it and before it writes them down.
#pragma once

#include <Halide.h>

namespace emulsion {

// Whenever the pipeline is lowered: code for CPUs keeps sums in registers (whole_stores.h) and turns blocks of
// transposes there (turned_blocks.h). On GPUs, registers are set before they are read (set_registers.h); kernels for OpenCL
// have no masks (opencl_masks.h), no vectors of other widths than OpenCL's (opencl_widths.h), and doubles as they are
// (opencl_doubles.h).
void add_kernel_passes(Halide::Pipeline pipeline);

}  // namespace emulsion
