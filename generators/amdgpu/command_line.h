// The command line of a generator that writes code for AMD GPUs: GenGen's, and chips=gfx906,gfx1100.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <Halide.h>

namespace emulsion {

struct GeneratorCommand {
    std::string generator;             // -g; nothing: the only one that there is
    std::string function;              // -f; nothing: named as the generator
    std::string base;                  // -n, of the files' names; nothing: the function's last name
    std::filesystem::path folder;      // -o
    std::vector<std::string> outputs;  // -e, names as Halide has them, and "kernels"
    std::vector<std::string> plugins;  // -p
    bool gradient = false;             // -d
    unsigned timeout = 0;              // -t, seconds; 0: none
    std::vector<std::string> chips;    // chips=
    Halide::Target target;  // target=, with opencl and no_runtime, which need not be given
    Halide::GeneratorParamsMap params;  // all other NAME=VALUE
};

// Whether chips= is there. Without it a command line is GenGen's own.
bool is_for_chips(std::span<const std::string> arguments);

// Throws Error for what it doesn't know, for chips that are unknown or named twice, and for a target that isn't 64-bit Linux on
// x86 or has another GPU's API.
GeneratorCommand parse_generator_command(std::span<const std::string> arguments);

}  // namespace emulsion
