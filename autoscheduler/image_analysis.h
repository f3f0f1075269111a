// A foreign Halide pipeline as an image graph.
#pragma once

#include <Halide.h>

#include "fusion/image/image_graph.h"

namespace emulsion {

// Sizes are those that follow from estimates (of outputs, inputs, parameters, and of Funcs whose bounds
// depend on data). Throws Error naming what lacks one.
ImageGraph analyze_images(const std::vector<Halide::Func> &outputs);

}  // namespace emulsion
