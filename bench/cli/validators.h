// What an option accepts, told to the command line's parser and so to help, completion and man page.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emulsion {

// Numbers from `least` to `most`.
template<typename T>
CLI::Validator within(T least, T most) {
    return CLI::Range(least, most).description(fmt::format("{} to {}", least, most));
}

// The words that an option is known to accept. Others are let through: the command that they are
// for says better what is wrong with them.
inline CLI::Validator words(const std::vector<std::string> &accepted) {
    return {[](std::string &) { return std::string(); },
            fmt::format("{}", fmt::join(accepted, "|"))};
}

}  // namespace emulsion
