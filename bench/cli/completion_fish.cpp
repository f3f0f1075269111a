#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cli/completion.h"

namespace emulsion {

namespace {

std::string fish_quoted(const std::string &text) {
    std::string result = "'";
    for (const char character : text) {
        result += character == '\'' || character == '\\' ? std::string("\\") + character
                                                         : std::string(1, character);
    }
    return result + "'";
}

// What is to be true of the words before: the commands that lead to `command`, none of its own.
std::string condition(const CommandDescription &command, const std::string &parents) {
    std::string subs;
    for (const CommandDescription &sub : command.commands) {
        subs += " " + sub.name;
    }
    if (subs.empty()) {
        return parents;
    }
    return fmt::format("{}{}not __fish_seen_subcommand_from{}", parents,
                       parents.empty() ? "" : "; and ", subs);
}

// Flags of `complete` that offer the values of an option.
std::string fish_value(const OptionDescription &option) {
    const ValueKinds kinds = value_kinds(option);
    std::string offered;
    if (!kinds.words.empty()) {
        offered = option.listed ? fmt::format("(__fish_append , {})", fmt::join(kinds.words, " "))
                                : fmt::format("{}", fmt::join(kinds.words, " "));
    }
    for (const std::string &suffix : kinds.suffixes) {
        offered += fmt::format("{}(__fish_complete_suffix {})", offered.empty() ? "" : " ", suffix);
    }
    if (kinds.folders && kinds.suffixes.empty()) {
        offered += "(__fish_complete_directories)";
    }
    std::string flags = kinds.files ? " -F" : " -f";
    if (!offered.empty()) {
        flags += " -a " + fish_quoted(offered);
    }
    return flags;
}

void add_command(const CommandDescription &command, const std::string &parents,
                 std::string &script) {
    const std::string before =
        fmt::format("complete -c emulsion -n {}", fish_quoted(condition(command, parents)));
    for (const CommandDescription &sub : command.commands) {
        script += fmt::format("{} -f -a {} -d {}\n", before, fish_quoted(sub.name),
                              fish_quoted(sub.summary));
    }
    for (const OptionDescription &option : command.options) {
        std::string line = before;
        for (const std::string &name : option.names) {
            line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        }
        if (!option.flag()) {
            line += (option.positional() ? "" : " -r") + fish_value(option);
        }
        script += line + (option.positional() ? "" : " -d " + fish_quoted(option.text)) + "\n";
    }
    for (const CommandDescription &sub : command.commands) {
        add_command(sub,
                    fmt::format("{}{}__fish_seen_subcommand_from {}", parents,
                                parents.empty() ? "" : "; and ", sub.name),
                    script);
    }
}

}  // namespace

std::string fish_completion(const CommandDescription &program) {
    std::string script = "# fish completion for emulsion; made by 'emulsion completion fish'\n"
                         "complete -c emulsion -f\n";
    add_command(program, "", script);
    return script;
}

}  // namespace emulsion
