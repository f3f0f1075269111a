// Writing of the --json files: whole files, numbers that are not finite as null.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace emulsion {

// Keys keep the order they were added in.
using Json = nlohmann::ordered_json;

// Nothing for an empty path. Throws Error (failed) when it can't be written.
void write_json(const std::string &path, const Json &json);

}  // namespace emulsion
