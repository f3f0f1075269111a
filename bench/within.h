// A check of numbers on the command line.
#pragma once

#include <CLI/CLI.hpp>

namespace emulsion {

// Like CLI::Range, but the limits appear in error messages only, not in every line of --help.
template<typename T>
CLI::Validator within(T least, T most) {
    return CLI::Range(least, most).description("");
}

}  // namespace emulsion
