// emulsion help: the pages of --help, and all of them as a man page.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/cli/description.h"
#include "bench/cli/help_text.h"
#include "bench/cli/manual_page.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kHelpManual = "Examples:\n"
                                    "  emulsion help bench\n"
                                    "  emulsion help zoo write\n"
                                    "  emulsion help --man | man -l -";

struct HelpArguments {
    std::vector<std::string> command;
    bool man = false;
};

int help(const HelpArguments &options, const CLI::App &program) {
    CommandDescription description = describe(program);
    if (options.man) {
        fmt::print("{}", manual_page(description, EMULSION_VERSION));
        return 0;
    }
    for (const std::string &name : options.command) {
        const auto found =
            std::find_if(description.commands.begin(), description.commands.end(),
                         [&](const CommandDescription &sub) { return sub.name == name; });
        if (found == description.commands.end()) {
            throw Error(fmt::format("'{}' has no command '{}'", description.path, name));
        }
        description = CommandDescription(*found);  // a copy: it is a part of what it replaces
    }
    fmt::print("{}", help_text(description));
    return 0;
}

std::function<int()> add_help(CLI::App &app) {
    auto options = std::make_shared<HelpArguments>();
    std::vector<std::string> names;
    for (const Command *command : all_commands()) {
        names.push_back(command->name);
    }
    app.add_option("COMMAND", options->command, "The command, and perhaps one of its own")
        ->check(words(names));
    app.add_flag("--man", options->man, "Everything as a man page, in roff");
    app.footer(kHelpManual);
    return [options, program = app.get_parent()] { return help(*options, *program); };
}

}  // namespace

const Command &command_help() {
    static const Command command = {"help", "Explain a command", add_help};
    return command;
}

}  // namespace emulsion
