// The schedule of a pipeline as C++ text: the body of a function of the `pipeline`, as the schedule
// files of generators (-e schedule) have it, to be called or pasted.
#pragma once

#include <Halide.h>

#include <string>

namespace emulsion {

std::string schedule_source(const std::vector<Halide::Func> &outputs);

}  // namespace emulsion
