// NAME.h of an artifact.
#pragma once

#include <string>

#include "backend/program.h"

namespace emulsion {

std::string api_header(const Graph &graph, const Program &program, const std::string &name);

}  // namespace emulsion
