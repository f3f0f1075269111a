// Pipelines with GPU schedules, lowered for Halide's OpenCL device API: what the backend's tests start
// from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Halide.h>

namespace emulsion {

// `features`: of OpenCL's, "cl_half" and "cl_doubles".
Halide::Target opencl_target(const std::string &features = "");

// A 3x3 convolution of 64 channels with an epilogue; each thread has `columns` x 4 results in registers.
Halide::Module convolution(int columns = 7, const Halide::Type &type = Halide::Float(32));
// The same with a tile of the input in LDS, of `rows` rows of results: about 7.7 kB each.
Halide::Module staged_convolution(int rows = 4);
// out = clamp(in * scale + shift, ...), with scalars of several sizes.
Halide::Module scaling(const Halide::Type &type = Halide::Float(32));
// Vectors of integers, clamped and averaged.
Halide::Module integers(const Halide::Type &type);
// Functions of the device library.
Halide::Module mathematics();
// A matrix product in workgroups of `columns` x 4 threads, each of which has a column of 8 rows in registers.
Halide::Module matrix_product(int columns);
// Products of bytes, added up in 32 bits.
Halide::Module byte_matrix_product();
// Each row divided by its sum, which threads add up with a barrier between.
Halide::Module row_normalisation();
// Three kernels, one after the other.
Halide::Module three_stages();
// A moving sum over a window whose length a scalar tells: the size of its LDS is known when it runs.
Halide::Module moving_sum();
// No GPU schedule at all.
Halide::Module on_the_cpu();

struct NamedModule {
    std::string name;
    Halide::Module module;
};
// All that have kernels and LDS of a constant size.
std::vector<NamedModule> all_pipelines();

// The OpenCL text of a module.
std::string_view device_text(const Halide::Module &module);

}  // namespace emulsion
