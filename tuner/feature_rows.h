// Features of the lowered code of a point as text: what takes a tenth of a second to find, a thousand times as long as those of the point
// itself (tuner/features.h).
#pragma once

#include <string>

#include "fusion/code_features.h"

namespace emulsion {

// As text, in thousandths: rows have many zeros, which are left out. And back, which throws Error for what is no such text.
std::string to_text(const FeatureRows &rows);
FeatureRows feature_rows_from(const std::string &text);

}  // namespace emulsion
