#include "bench/result_flag.h"

#include <CLI/CLI.hpp>

namespace emulsion {

void add_result_flag(CLI::App &app, const std::string &flag, std::string &path,
                     const std::string &text, const std::string &type) {
    app.add_option(flag, path, text + "; '-' is standard output")->type_name(type);
}

}  // namespace emulsion
