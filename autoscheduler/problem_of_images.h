// The problem (fusion/image/image_problem.h) that the schedule of a Halide pipeline of images is an answer to.
#pragma once

#include <string>
#include <vector>

#include <Halide.h>

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"

namespace emulsion {

// `graph` is that of the outputs. Features of the target that say how the code is packed, not what it is, do not count.
std::string problem_of_images(const std::vector<Halide::Func> &outputs, const ImageGraph &graph,
                              const CpuMachine &machine, const Halide::Target &target);

}  // namespace emulsion
