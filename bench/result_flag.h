// Options that name the file of a result: --json, --trace, ...
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace emulsion {

// Adds `flag` ("--json"), whose value goes to `path`: for expect_writable() and write_whole_file(), so that '-' is
// standard output, and the help says so after `text` ("Write all figures there").
void add_result_flag(CLI::App &app, const std::string &flag, std::string &path,
                     const std::string &text, const std::string &type = "FILE");

}  // namespace emulsion
