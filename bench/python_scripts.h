// The Python scripts that come with this program, and the Python to run them with.
#pragma once

#include <string>

namespace emulsion {

// A script of bench/python/ beside this program. Throws Error (failed) when it is not there.
std::string script_path(const std::string &name);
// `wanted` if it is not empty, else the Python of the build's environment, else "python3".
std::string find_python(const std::string &wanted = {});

}  // namespace emulsion
