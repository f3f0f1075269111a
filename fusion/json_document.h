// JSON as files have it: every document begins with the name and the version of its schema.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "fusion/json_schema.h"

namespace emulsion {

// `content`, an object, as text: `schema` and `version` first, indented by two, a newline at the end. Numbers
// that are not finite become null, and what is not UTF-8 (names come from models) is replaced.
std::string json_document(JsonSchema schema, const nlohmann::ordered_json &content);

// The same for a format that others have laid down and whose readers know no such keys: they are the first of
// the object `inside` of `content`.
std::string json_document_inside(const std::string &inside, JsonSchema schema,
                                 nlohmann::ordered_json content);

// Reads such text. A document that names no schema is taken as version 1: so files were before they named one.
// Throws Error (refused), naming `file`, for anything but an object, for another schema and for a version newer
// than ours. What is returned has neither `schema` nor `version`.
nlohmann::ordered_json read_json_document(JsonSchema schema, const std::string &text,
                                          const std::string &file);

}  // namespace emulsion
