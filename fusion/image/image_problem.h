// The name of what a schedule of an image pipeline depends on: measurements of one problem say nothing of another.
#pragma once

#include <string>
#include <vector>

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"

namespace emulsion {

// A hash of the graph (but for what stages are called), the types of its stages' values, the machine that it is planned
// for, with its threads and constants, and the target.
std::string image_problem(const ImageGraph &graph, const std::vector<std::string> &types,
                          const CpuMachine &machine, const std::string &target);

}  // namespace emulsion
