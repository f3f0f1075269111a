#include "bench/cli/manual_page.h"

#include <fmt/format.h>

#include "bench/cli/help_text.h"

namespace emulsion {

namespace {

// Text with what roff would take for a request or an escape made harmless.
std::string plain(const std::string &text) {
    std::string result;
    bool line_start = true;
    for (const char character : text) {
        if (line_start && (character == '.' || character == '\'')) {
            result += "\\&";
        }
        line_start = character == '\n';
        if (character == '\\') {
            result += "\\e";
        } else if (character == '-') {
            result += "\\-";
        } else {
            result += character;
        }
    }
    return result;
}

// Lines as they are.
std::string verbatim(const std::string &text) { return ".nf\n" + plain(text) + "\n.fi\n"; }

std::string option_list(const CommandDescription &command) {
    std::string text;
    for (const OptionDescription &option : command.options) {
        const std::string more = remarks(option);
        text += fmt::format(".TP\n.B {}\n{}{}\n", plain(signature(option)), plain(option.text),
                            more.empty() ? "." : ". (" + plain(more) + ")");
    }
    return text;
}

std::string section(const CommandDescription &command) {
    std::string text = fmt::format(".SS {}\n{}.\n.PP\n.B {}\n", plain(command.path),
                                   plain(command.summary), plain(usage_line(command)));
    text += option_list(command);
    if (!command.manual.empty()) {
        text += ".PP\n" + verbatim(command.manual);
    }
    for (const CommandDescription &sub : command.commands) {
        text += section(sub);
    }
    return text;
}

}  // namespace

std::string manual_page(const CommandDescription &program, const std::string &version) {
    std::string text =
        fmt::format(".TH EMULSION 1 \"\" \"emulsion {}\" \"User Commands\"\n", plain(version));
    text += fmt::format(".SH NAME\nemulsion \\- {}\n", plain(program.summary));
    text += fmt::format(".SH SYNOPSIS\n.B {}\n", plain(usage_line(program)));
    text += ".SH OPTIONS\n" + option_list(program);
    text += ".SH COMMANDS\n";
    for (const CommandDescription &command : program.commands) {
        text += section(command);
    }
    text += fmt::format(".SH EXIT STATUS\n{}\n", plain(kExitStatus));
    text += fmt::format(".SH FILES\n{}\n", plain(kFiles));
    return text;
}

}  // namespace emulsion
