// A plan as one HTML page that needs no other file and no network.
#pragma once

#include <string>

#include "bench/explain/explanation.h"
#include "bench/explain/picture.h"

namespace emulsion {

// Summary; drawing; tables of the groups with their times, of implementations, of reasons and of edges; and what the
// words mean. Equal explanations and pictures give equal pages.
std::string render_page(const Explanation &explanation, const Picture &picture);

}  // namespace emulsion
