// The ways to compute an image graph as points of a space, for those who search it by measuring. A point is a nest "images"
// with parameters of stages, by their position in the graph; what it lacks is as decide_images() and plan_images() have it.
#pragma once

#include <string>

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"
#include "fusion/nest_space.h"

namespace emulsion {

// Of every stage, where it has a choice:
//   place                    a Placement
//   block0, block1, ...      the tile of the group that it is the root of, innermost axis first; 0: not cut
//   slide                    the axis along which members are computed row by row and kept, 0: for whole tiles
//   sweep, share             as of Shape
//   vector, vectors, rows    as of StageLoops
//   row_block, aligned       likewise
// "3.vectors" is that of the fourth stage.
std::string image_parameter(int stage, const std::string &name);
std::string block_of_axis(size_t axis);

NestSpace image_space(const ImageGraph &graph, const CpuMachine &machine);

}  // namespace emulsion
