// JSON files, each with the schema that it names: written as a whole, numbers that are not finite as null.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "fusion/json_document.h"

namespace emulsion {

// Keys keep the order they were added in.
using Json = nlohmann::ordered_json;

// Writes the keys of `json` after those of the schema. Nothing for an empty path. Throws Error (failed) when
// it can't be written.
void write_json(const std::string &path, JsonSchema schema, const Json &json);

// Reads such a file, without the schema's keys. Throws Error: failed when it can't be read, refused when it is
// of another schema or newer.
Json read_json(const std::string &path, JsonSchema schema);

}  // namespace emulsion
