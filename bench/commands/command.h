// A sub-command of the program. Each is one file in bench/commands/ that defines
//
//     const Command &command_<filename>();
//
// found when CMake configures.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace emulsion {

struct Command {
    std::string name;
    std::string summary;  // one line
    // Adds the command's options and its manual to `app`. What it returns is called after parsing,
    // if the command was chosen, and returns the exit code; errors are thrown.
    std::function<std::function<int()>(CLI::App &app)> add;
};

// All commands, by file name (generated).
std::span<const Command *const> all_commands();

}  // namespace emulsion
