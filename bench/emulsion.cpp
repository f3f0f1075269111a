// The `emulsion` program: finds the command, turns errors into one sentence and an exit code.

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/compiler.h"
#include "bench/commands/command.h"
#include "fusion/error.h"

namespace {

constexpr int kFailed = 1;
constexpr int kRefused = 2;

int complain(std::string sentence, int code) {
    // What others report may have several lines.
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    sentence.erase(sentence.find_last_not_of(' ') + 1);
    fmt::print(stderr, "emulsion: error: {}\n", sentence);
    return code;
}

bool is_command(const std::string &name) {
    const auto commands = emulsion::all_commands();
    return std::any_of(commands.begin(), commands.end(),
                       [&](const emulsion::Command *command) { return command->name == name; });
}

std::string known_commands() {
    std::string names;
    for (const emulsion::Command *command : emulsion::all_commands()) {
        names += (names.empty() ? "" : ", ") + command->name;
    }
    return names;
}

int run(int argc, char **argv) {
    CLI::App app("Compiles neural networks to machine code through Halide.", "emulsion");
    app.set_version_flag("--version", "emulsion " EMULSION_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(32);
    app.footer("Exit status: 0 done, 1 failed, 2 refused input or usage.\n"
               "'emulsion COMMAND --help' explains a command and what its numbers mean.");
    std::map<const CLI::App *, std::function<int()>> actions;
    for (const emulsion::Command *command : emulsion::all_commands()) {
        CLI::App *sub = app.add_subcommand(command->name, command->summary);
        actions[sub] = command->add(*sub);
    }
    // CLI11 would call it an unexpected argument.
    if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1])) {
        return complain(
            fmt::format("unknown command '{}'; known are {}", argv[1], known_commands()), kRefused);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &help) {
        return app.exit(help);
    } catch (const CLI::ParseError &error) {
        const auto chosen = app.get_subcommands();
        return complain(fmt::format("{} (see 'emulsion{} --help')", error.what(),
                                    chosen.empty() ? "" : " " + chosen[0]->get_name()),
                        kRefused);
    }
    return actions.at(app.get_subcommands().at(0))();
}

}  // namespace

int main(int argc, char **argv) {
    try {
        // Worker processes of the compiler: nothing of the command line's ways must touch them.
        if (argc > 1 && std::string(argv[1]) == "worker") {
            return emulsion::worker_main(argc - 2, argv + 2);
        }
        return run(argc, argv);
    } catch (const emulsion::Error &error) {
        return complain(error.what(), error.exit_code());
    } catch (const std::bad_alloc &) {
        return complain("not enough memory", kFailed);
    } catch (const std::exception &error) {
        return complain(error.what(), kFailed);
    }
}
