// The schedule of a pipeline as C++ text that a user can paste into a generator's schedule().
#pragma once

#include <Halide.h>

#include <string>

namespace emulsion {

std::string schedule_source(const std::vector<Halide::Func> &outputs);

}  // namespace emulsion
