// A copy of a stage, which some of its readers read in its place.
#pragma once

#include <set>
#include <string>

#include "fusion/image/image_graph.h"

namespace emulsion {

// Puts it right behind stage `i`, so that all later stages move by one; `readers` are numbers from before that. It is
// named after the stage and `reader`. Returns its number.
int insert_copy(ImageGraph &graph, int i, const std::set<int> &readers, const std::string &reader);

}  // namespace emulsion
