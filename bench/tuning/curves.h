// How a network became faster while it was tuned, as a picture.
#pragma once

#include <string>

#include "bench/tuning/tune_network.h"

namespace emulsion {

// An SVG image: over the seconds of the search, the time of every group that was tuned over that of its planned nest,
// grey, with its operators as a hint; and of all of them together, weighted by their times. What was known from earlier
// sessions is there from the beginning.
std::string curves_svg(const TunedNetwork &tuned, const std::string &title);

}  // namespace emulsion
