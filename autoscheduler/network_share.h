// Which of the two planners a foreign pipeline gets.
#pragma once

#include <vector>

#include <Halide.h>

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"

namespace emulsion {

// Whether most of the work is in Funcs that have a loop nest of their own (convolutions, products, pools, reductions of
// known size; not filters of images, whose weights are the same for all elements) and next to none in scans, updates of
// single places and reads where data say; or an output has another innermost dimension than its first: a part of a
// neural network, for fusion/planner.h. Everything else is a pipeline of images, for fusion/image.
bool is_network(const std::vector<Halide::Func> &outputs, const ImageGraph &images,
                const Machine &machine);

}  // namespace emulsion
