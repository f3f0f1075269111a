// The trained file that comes with Emulsion.
#pragma once

#include <string_view>

namespace emulsion {

// tuner/shipped_predictor.json, as Predictor::to_text() has written it.
std::string_view shipped_predictor();

}  // namespace emulsion
