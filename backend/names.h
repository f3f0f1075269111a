// Names of artifacts: what becomes part of C identifiers and file names.
#pragma once

#include <string>
#include <string_view>

namespace emulsion {

// `text` with everything but ASCII letters, digits and underscores replaced by underscores; never
// empty, at most 64 characters, not starting with a digit. Names that artifacts use inside get a
// suffix.
std::string identifier(std::string_view text);

// The default name of a model's artifact: identifier of the file's name without its extension.
std::string artifact_name(const std::string &model_path);

// Every NAME in `text` that a C identifier or a file name starts with, replaced by `name`.
std::string replace_name(std::string_view text, const std::string &name);

}  // namespace emulsion
