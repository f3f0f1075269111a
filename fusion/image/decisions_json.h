// Decisions about an image graph as JSON: where stages are computed and the tiles of groups, by the numbers of stages,
// which are the same whatever Funcs are called. What choices cost is left out.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fusion/image/decisions.h"

namespace emulsion {

nlohmann::ordered_json decisions_to_json(const ImageDecisions &decisions);
// Throws Error for what are no decisions about this graph: other stages, or shapes of another rank.
ImageDecisions decisions_from_json(const nlohmann::ordered_json &json, const ImageGraph &graph);

}  // namespace emulsion
