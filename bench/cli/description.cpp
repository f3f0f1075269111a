#include "bench/cli/description.h"

#include <algorithm>
#include <cctype>

#include <CLI/CLI.hpp>

namespace emulsion {

namespace {

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> parts;
    size_t start = 0;
    while (start <= text.size()) {
        const size_t end = std::min(text.find(separator, start), text.size());
        if (end > start) {
            parts.push_back(text.substr(start, end - start));
        }
        start = end + 1;
    }
    return parts;
}

OptionDescription describe(const CLI::Option &option) {
    OptionDescription result;
    for (const std::string &name : option.get_snames()) {
        result.names.push_back("-" + name);
    }
    for (const std::string &name : option.get_lnames()) {
        result.names.push_back("--" + name);
    }
    if (option.get_items_expected_max() > 0) {
        // "VALUE:what a validator says"
        const std::string type = option.get_type_name();
        const size_t colon = type.find(':');
        result.value = result.positional() ? option.get_name(true) : type.substr(0, colon);
        result.accepted = colon == std::string::npos ? "" : type.substr(colon + 1);
    }
    result.default_value = option.get_default_str();
    result.text = option.get_description();
    result.group = option.get_group();
    result.required = option.get_required();
    result.repeated = option.get_expected_max() > 1;
    result.listed = option.get_delimiter() != '\0';
    return result;
}

std::string path_of(const CLI::App &app) {
    return app.get_parent() == nullptr ? app.get_name()
                                       : path_of(*app.get_parent()) + " " + app.get_name();
}

}  // namespace

ValueKinds value_kinds(const OptionDescription &option) {
    ValueKinds kinds;
    for (const std::string &alternative : split(option.value, '|')) {
        const std::string value = alternative.substr(alternative.find('=') + 1);  // NAME=FILE.npy
        const size_t dot = value.find('.');
        if (value == "DIR") {
            kinds.folders = true;
        } else if (value == "FILE" || value == "PROGRAM") {
            kinds.files = true;
        } else if (dot != std::string::npos) {
            kinds.suffixes.push_back(value.substr(dot));
        } else if (std::islower(static_cast<unsigned char>(value[0])) != 0) {
            kinds.words.push_back(value);
        }
    }
    if (option.accepted.find(' ') == std::string::npos) {
        const auto words = split(option.accepted, '|');
        kinds.words.insert(kinds.words.end(), words.begin(), words.end());
    }
    return kinds;
}

CommandDescription describe(const CLI::App &app) {
    CommandDescription command{.name = app.get_name(),
                               .path = path_of(app),
                               .summary = app.get_description(),
                               .manual = app.get_footer(),
                               .options = {},
                               .commands = {}};
    for (const CLI::Option *option : app.get_options({})) {
        if (!option->get_group().empty()) {
            command.options.push_back(describe(*option));
        }
    }
    std::stable_partition(command.options.begin(), command.options.end(),
                          [](const OptionDescription &option) { return option.positional(); });
    for (const CLI::App *sub :
         app.get_subcommands([](const CLI::App *candidate) { return candidate != nullptr; })) {
        command.commands.push_back(describe(*sub));
    }
    return command;
}

}  // namespace emulsion
