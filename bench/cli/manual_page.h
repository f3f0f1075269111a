// The man page of the program, as roff source for man(1).
#pragma once

#include <string>

#include "bench/cli/description.h"

namespace emulsion {

std::string manual_page(const CommandDescription &program, const std::string &version);

}  // namespace emulsion
