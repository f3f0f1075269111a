// What tests of pipelines as PyTorch's Halide back end makes them share.
#pragma once

#include <Halide.h>

#include <vector>

#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

// What pipelines are planned for, innermost first.
const int kRowLength = kEstimatedSize[0], kRowCount = kEstimatedSize[1];

// Of floats from -1.25 to 1.25 without a pattern. Bounded: PyTorch declares the sizes of inputs.
Halide::Func torch_input(const std::vector<int> &size);

// PyTorch compiles without assertions.
Halide::Target torch_target();

// The output of a size, planned for the estimated size or with every Func stored. Not asked first whether
// the schedule needs a larger one: PyTorch doesn't.
Halide::Buffer<float> run_torch(const Halide::Func &out, const std::vector<int> &size,
                                bool planned);

}  // namespace emulsion
