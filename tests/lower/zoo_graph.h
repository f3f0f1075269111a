// Networks of the zoo as graphs.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/graph/graph.h"

namespace emulsion::test {

// As loaded, before any pass. `image_size`: pixels of the input's sides; 0: the network's own.
Graph zoo_graph(const std::string &name, int64_t image_size = 0);

}  // namespace emulsion::test
