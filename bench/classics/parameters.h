// Parameters of generators, and of autoschedulers.
#pragma once

#include <map>
#include <string>

namespace emulsion::classics {

using Parameters = std::map<std::string, std::string>;  // values by name

// As command lines have them: "height=480,width=640", by name; of none "". The first throws Error for what is no such text.
Parameters parameters_from(const std::string &text);
std::string text_of(const Parameters &parameters);

}  // namespace emulsion::classics
