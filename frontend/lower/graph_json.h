// A tensor graph as canonical JSON, and back: equal graphs give equal text.
#pragma once

#include <nlohmann/json.hpp>

#include "frontend/graph/graph.h"

namespace emulsion {

// Constants carry their bytes (hexadecimal) where they have any.
nlohmann::json graph_to_json(const Graph &graph);
Graph graph_from_json(const nlohmann::json &j);

}  // namespace emulsion
