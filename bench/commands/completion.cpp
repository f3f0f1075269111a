// emulsion completion: scripts that make a shell complete the program's commands and options.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/cli/completion.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kCompletionManual =
    "Examples:\n"
    "  source <(emulsion completion bash)                                        in ~/.bashrc\n"
    "  source <(emulsion completion zsh)                 in ~/.zshrc, after autoload and compinit\n"
    "  emulsion completion fish > ~/.config/fish/completions/emulsion.fish";

int complete(const std::string &shell, const CLI::App &program) {
    const CommandDescription description = describe(program);
    if (shell == "bash") {
        fmt::print("{}", bash_completion(description));
    } else if (shell == "zsh") {
        fmt::print("{}", zsh_completion(description));
    } else if (shell == "fish") {
        fmt::print("{}", fish_completion(description));
    } else {
        throw Error(
            fmt::format("no completion for the shell '{}'; there is bash, zsh and fish", shell));
    }
    return 0;
}

std::function<int()> add_completion(CLI::App &app) {
    auto shell = std::make_shared<std::string>();
    app.add_option("SHELL", *shell, "The shell that the script is for")
        ->check(words({"bash", "zsh", "fish"}))
        ->required();
    app.footer(kCompletionManual);
    return [shell, program = app.get_parent()] { return complete(*shell, *program); };
}

}  // namespace

const Command &command_completion() {
    static const Command command = {"completion", "Print a completion script for a shell",
                                    add_completion};
    return command;
}

}  // namespace emulsion
