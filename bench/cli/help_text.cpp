#include "bench/cli/help_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emulsion {

const char *const kExitStatus =
    "0 done; 1 failed (a file that cannot be written, a tool that is missing, a verification that\n"
    "does not pass); 2 refused input or usage. Errors are one sentence on stderr.";

const char *const kFiles =
    "Compiled units are kept in $XDG_CACHE_HOME/emulsion, or ~/.cache/emulsion, at most 1 GiB; the\n"
    "folder may be removed at any time. Temporary folders lie in $TMPDIR, or /tmp.";

namespace {

constexpr size_t kColumn = 32;  // where the explanations begin
constexpr size_t kWidth = 100;

// `words` wrapped so that lines end before kWidth; all but the first begin at `indent`.
std::string wrapped(const std::string &words, size_t indent) {
    std::string text;
    size_t column = indent;
    size_t start = 0;
    while (start < words.size()) {
        const size_t end = std::min(words.find(' ', start), words.size());
        const std::string word = words.substr(start, end - start);
        if (column > indent && column + 1 + word.size() > kWidth) {
            text += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (column > indent) {
            text += ' ';
            column++;
        }
        text += word;
        column += word.size();
        start = end + 1;
    }
    return text;
}

std::string entry(const std::string &left, const std::string &right) {
    std::string line = "  " + left;
    if (line.size() + 2 > kColumn) {
        line += "\n" + std::string(kColumn, ' ');
    } else {
        line.resize(kColumn, ' ');
    }
    return line + wrapped(right, kColumn) + "\n";
}

std::string option_entries(const CommandDescription &command) {
    std::vector<std::string> groups;
    for (const OptionDescription &option : command.options) {
        if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
            groups.push_back(option.group);
        }
    }
    std::string text;
    for (const std::string &group : groups) {
        text += fmt::format("\n{}:\n", group);
        for (const OptionDescription &option : command.options) {
            if (option.group == group) {
                const std::string more = remarks(option);
                text +=
                    entry(signature(option),
                          more.empty() ? option.text : fmt::format("{} ({})", option.text, more));
            }
        }
    }
    return text;
}

}  // namespace

bool uses_cache(const CommandDescription &command) {
    return std::any_of(command.options.begin(), command.options.end(),
                       [](const OptionDescription &option) {
                           return option.names == std::vector<std::string>{"--cache"};
                       });
}

std::string signature(const OptionDescription &option) {
    std::string text = fmt::format("{}", fmt::join(option.names, ", "));
    if (!option.flag()) {
        text += (text.empty() ? "" : " ") + option.value;
    }
    return text;
}

std::string remarks(const OptionDescription &option) {
    std::vector<std::string> parts;
    if (option.required) {
        parts.emplace_back("required");
    }
    if (!option.default_value.empty()) {
        parts.push_back("default " + option.default_value);
    }
    if (!option.accepted.empty()) {
        std::string accepted = option.accepted;
        for (size_t at = 0; (at = accepted.find('|', at)) != std::string::npos; at += 2) {
            accepted.replace(at, 1, ", ");
        }
        parts.push_back(accepted);
    }
    if (option.repeated) {
        parts.emplace_back(option.listed ? "several joined by commas" : "may be repeated");
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string usage_line(const CommandDescription &command) {
    std::string text = command.path;
    text += command.commands.empty() ? " [OPTIONS]" : " COMMAND [OPTIONS]";
    for (const OptionDescription &option : command.options) {
        if (option.positional()) {
            text += option.required ? " " + option.value : fmt::format(" [{}]", option.value);
        } else if (option.required) {
            text += " " + option.names.back() + " " + option.value;
        }
    }
    return text;
}

std::string help_text(const CommandDescription &command) {
    std::string text = fmt::format("{}.\n\nUsage: {}\n", command.summary, usage_line(command));
    text += option_entries(command);
    if (!command.commands.empty()) {
        text += "\nCommands:\n";
        for (const CommandDescription &sub : command.commands) {
            text += entry(sub.name, sub.summary);
        }
    }
    if (!command.manual.empty()) {
        text += "\n" + command.manual + "\n";
    }
    text += fmt::format("\nExit status:\n{}\n", kExitStatus);
    if (uses_cache(command)) {
        text += fmt::format("\nFiles:\n{}\n", kFiles);
    }
    return text;
}

}  // namespace emulsion
