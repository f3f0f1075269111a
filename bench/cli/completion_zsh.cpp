#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cli/completion.h"

namespace emulsion {

namespace {

// A function's name: "_emulsion_zoo_write".
std::string function_name(const CommandDescription &command) {
    std::string text = "_" + command.path;
    for (char &character : text) {
        character = character == ' ' ? '_' : character;
    }
    return text;
}

// Text inside of a specification of _arguments, in single quotes: without what it gives a meaning to.
std::string zsh_plain(const std::string &text) {
    std::string result;
    for (const char character : text) {
        switch (character) {
        case '[': result += '('; break;
        case ']': result += ')'; break;
        case '\'':
        case '"':
        case '\\':
        case '`':
        case '$':
        case ':': break;
        default: result += character;
        }
    }
    return result;
}

// ":MESSAGE:ACTION" of a value.
std::string zsh_value(const OptionDescription &option) {
    const ValueKinds kinds = value_kinds(option);
    std::string action = " ";
    if (!kinds.words.empty()) {
        const std::string all = fmt::format("{}", fmt::join(kinds.words, " "));
        action = option.listed ? "_values -s , value " + all : "(" + all + ")";
    } else if (kinds.files) {
        action = "_files";
    } else if (!kinds.suffixes.empty()) {  // folders are offered as well
        action = fmt::format("_files -g \"*{}\"", kinds.suffixes[0]);
    } else if (kinds.folders) {
        action = "_files -/";
    }
    return fmt::format(":{}:{}", zsh_plain(option.value), action);
}

std::string specification(const OptionDescription &option) {
    if (option.positional()) {
        return fmt::format("'{}'", (option.repeated ? "*" : "1") + zsh_value(option));
    }
    const std::string tail =
        "[" + zsh_plain(option.text) + "]" + (option.flag() ? "" : zsh_value(option));
    std::string text;
    for (const std::string &name : option.names) {
        text += fmt::format("{}'{}{}{}'", text.empty() ? "" : " ", option.repeated ? "*" : "", name,
                            tail);
    }
    return text;
}

void add_function(const CommandDescription &command, std::string &script) {
    for (const CommandDescription &sub : command.commands) {
        add_function(sub, script);
    }
    script += fmt::format("{}() {{\n", function_name(command));
    if (!command.commands.empty()) {
        script += "    local line state\n";
    }
    script += "    _arguments -s";
    if (!command.commands.empty()) {
        script += " -C";
    }
    for (const OptionDescription &option : command.options) {
        script += " \\\n        " + specification(option);
    }
    if (!command.commands.empty()) {
        script += " \\\n        '1:command:((";
        for (const CommandDescription &sub : command.commands) {
            script += fmt::format(" {}\\:\"{}\"", sub.name, zsh_plain(sub.summary));
        }
        script += "))' \\\n        '*::argument:->rest'\n    case $line[1] in\n";
        for (const CommandDescription &sub : command.commands) {
            script += fmt::format("    {}) {} ;;\n", sub.name, function_name(sub));
        }
        script += "    esac";
    }
    script += "\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CommandDescription &program) {
    std::string script = "#compdef emulsion\n"
                         "# zsh completion for emulsion; made by 'emulsion completion zsh'\n\n";
    add_function(program, script);
    // Sourced, or found in fpath.
    script += "if [[ $funcstack[1] == _emulsion ]]; then\n"
              "    _emulsion \"$@\"\n"
              "else\n"
              "    compdef _emulsion emulsion\n"
              "fi\n";
    return script;
}

}  // namespace emulsion
