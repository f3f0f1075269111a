// --shape NAME=1x3x224x224: the sizes that a model leaves open.
#pragma once

#include <string>
#include <vector>

#include "frontend/onnx/loader.h"

namespace emulsion {

// Each of `texts` is NAME=SIZES, split at the last '='; NAME is an input or a symbol. Throws Error
// for texts of another form.
InputShapes parse_shapes(const std::vector<std::string> &texts);

}  // namespace emulsion
