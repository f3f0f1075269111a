// NAME=1x3x224x224: how users write the sizes that a model leaves open.
#pragma once

#include <string>
#include <vector>

#include "frontend/onnx/loader.h"

namespace emulsion {

// Each of `texts` is NAME=SIZES, split at the last '=' (or other separator); NAME is an input or a
// symbol. Throws Error for texts of another form; `option` is what users know them by ("--shape").
InputShapes parse_shapes(const std::vector<std::string> &texts, const std::string &option,
                         char separator = '=');

}  // namespace emulsion
