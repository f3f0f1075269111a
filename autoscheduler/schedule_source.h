// The schedule of a pipeline as C++ text: the body of a function of the `pipeline`, as the schedule
// files of generators (-e schedule) have it, to be called or pasted. With a line above each Func that says where it is
// computed and why.
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace emulsion {

// `reasons`: lines by the names of Funcs, those that are inlined included. A Func without one has no line.
// `kept`: Funcs that the algorithm comes with loops for; these aren't repeated.
std::string schedule_source(const std::vector<Halide::Func> &outputs,
                            const std::map<std::string, std::string> &reasons = {},
                            const std::set<std::string> &kept = {});

}  // namespace emulsion
