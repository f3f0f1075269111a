// What two graphs have in common that differ in their weights only.
#pragma once

#include <string>

#include "frontend/graph/graph.h"

namespace emulsion {

// Of names, operators, shapes and small constants, but not of weights. 32 hex digits.
std::string structure_hash(const Graph &graph);

}  // namespace emulsion
