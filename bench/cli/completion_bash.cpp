#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cli/completion.h"

namespace emulsion {

namespace {

// "emulsion/zoo/write"
std::string key(const CommandDescription &command) {
    std::string text = command.path;
    for (char &character : text) {
        character = character == ' ' ? '/' : character;
    }
    return text;
}

// The call that offers the values of an option.
std::string offer(const OptionDescription &option) {
    const ValueKinds kinds = value_kinds(option);
    std::string call;
    if (!kinds.words.empty()) {
        call += fmt::format("_emulsion_words {} '{}'; ", option.listed ? "," : "''",
                            fmt::join(kinds.words, " "));
    }
    for (const std::string &suffix : kinds.suffixes) {
        call += fmt::format("_emulsion_files '{}'; ", suffix);
    }
    if (kinds.files) {
        call += "_emulsion_files ''; ";
    } else if (kinds.folders && kinds.suffixes.empty()) {
        call += "_emulsion_folders; ";  // files come with folders
    }
    return call;
}

void add_cases(const CommandDescription &command, std::string &commands, std::string &values,
               std::string &words) {
    std::string names, positional;
    for (const OptionDescription &option : command.options) {
        if (option.positional()) {
            positional += offer(option);
            continue;
        }
        for (const std::string &name : option.names) {
            names += (names.empty() ? "" : " ") + name;
            if (!option.flag()) {
                values +=
                    fmt::format("    {}:{}) {}return ;;\n", key(command), name, offer(option));
            }
        }
    }
    std::string subs;
    for (const CommandDescription &sub : command.commands) {
        subs += (subs.empty() ? "" : " ") + sub.name;
        commands += fmt::format("        {}) at={} ;;\n", key(sub), key(sub));
        add_cases(sub, commands, values, words);
    }
    if (!subs.empty()) {
        positional += fmt::format("_emulsion_words '' '{}'; ", subs);
    }
    words += fmt::format("    {}:-*) _emulsion_words '' '{}' ;;\n", key(command), names);
    words += fmt::format("    {}:*) {}: ;;\n", key(command), positional);
}

constexpr const char *kScript =
    R"(# bash completion for emulsion; made by 'emulsion completion bash'

# Words that begin with what is typed; $1 separates words that are already there.
_emulsion_words() {
    local before= typed=$current
    if [[ -n $1 && $typed == *"$1"* ]]; then
        before=${typed%"$1"*}$1
        typed=${typed##*"$1"}
    fi
    COMPREPLY+=($(compgen -P "$before" -W "$2" -- "$typed"))
}

_emulsion_files() {
    compopt -o filenames 2> /dev/null
    COMPREPLY+=($(compgen -f -X "!*$1" -- "$current"))
    _emulsion_folders
}

_emulsion_folders() {
    compopt -o filenames 2> /dev/null
    COMPREPLY+=($(compgen -d -- "$current"))
}

_emulsion() {
    local IFS=$' \t\n' at=emulsion i
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case $at/${COMP_WORDS[i]} in
@COMMANDS@        esac
    done
    # bash splits NAME=FILE into three words, --option=VALUE too
    if [[ $current == = ]]; then
        current=
        before=${COMP_WORDS[COMP_CWORD - 1]}
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
        [[ $before == --* ]] || before=${COMP_WORDS[COMP_CWORD - 3]}
    fi
    case $at:$before in
@VALUES@    esac
    case $at:$current in
@WORDS@    esac
}

complete -F _emulsion emulsion
)";

}  // namespace

std::string bash_completion(const CommandDescription &program) {
    std::string commands, values, words;
    add_cases(program, commands, values, words);
    std::string script = kScript;
    for (const auto &[mark, text] :
         {std::pair("@COMMANDS@", commands), {"@VALUES@", values}, {"@WORDS@", words}}) {
        script.replace(script.find(mark), std::string(mark).size(), text);
    }
    return script;
}

}  // namespace emulsion
