// Layouts as plans have them in JSON.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "fusion/layout.h"

namespace emulsion {

// Throws Error for what no layout is.
nlohmann::json layout_to_json(const Layout &layout);
Layout layout_from_json(const nlohmann::json &j);

// Axes in some order, each once.
std::vector<int> order_from_json(const nlohmann::json &j);

}  // namespace emulsion
