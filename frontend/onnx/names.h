// Names in a model file are arbitrary bytes. They end up in messages, JSON and file names, so only
// printable UTF-8 of moderate length gets in.
#pragma once

#include <string>

#include "fusion/error.h"

namespace emulsion {

// Throws Error, saying `what` the name belongs to, unless `name` is 1 to 4096 bytes of UTF-8 without
// control characters.
void require_printable(const std::string &name, const std::string &what, const ErrorPlace &place);

}  // namespace emulsion
