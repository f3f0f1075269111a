// Completion scripts for shells, made from the description of the program.
#pragma once

#include <string>

#include "bench/cli/description.h"

namespace emulsion {

std::string bash_completion(const CommandDescription &program);
std::string zsh_completion(const CommandDescription &program);
std::string fish_completion(const CommandDescription &program);

}  // namespace emulsion
