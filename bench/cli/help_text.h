// --help, as a page of text.
#pragma once

#include <string>

#include "bench/cli/description.h"

namespace emulsion {

// What holds for every command.
extern const char *const kExitStatus;
extern const char *const kFiles;  // of commands that compile

// True for a command that reads and fills the cache.
bool uses_cache(const CommandDescription &command);
// "-o, --output DIR"
std::string signature(const OptionDescription &option);
// "default 10; 1 to 256", or nothing.
std::string remarks(const OptionDescription &option);
// "emulsion bench [OPTIONS] MODEL.onnx|DIR"
std::string usage_line(const CommandDescription &command);

std::string help_text(const CommandDescription &command);

}  // namespace emulsion
