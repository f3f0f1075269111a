#include "bench/cli/manual_page.h"

#include <fmt/format.h>

#include "bench/cli/help_text.h"

namespace emulsion {

namespace {

// Text with what roff would take for a request or an escape made harmless.
std::string roff_plain(const std::string &text) {
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
std::string verbatim(const std::string &text) { return ".nf\n" + roff_plain(text) + "\n.fi\n"; }

std::string option_list(const CommandDescription &command) {
    std::string text;
    for (const OptionDescription &option : command.options) {
        const std::string more = remarks(option);
        text += fmt::format(".TP\n.B {}\n{}{}\n", roff_plain(signature(option)),
                            roff_plain(option.text),
                            more.empty() ? "." : ". (" + roff_plain(more) + ")");
    }
    return text;
}

std::string section(const CommandDescription &command) {
    std::string text = fmt::format(".SS {}\n{}.\n.PP\n.B {}\n", roff_plain(command.path),
                                   roff_plain(command.summary), roff_plain(usage_line(command)));
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
        fmt::format(".TH EMULSION 1 \"\" \"emulsion {}\" \"User Commands\"\n", roff_plain(version));
    text += fmt::format(".SH NAME\nemulsion \\- {}\n", roff_plain(program.summary));
    text += fmt::format(".SH SYNOPSIS\n.B {}\n", roff_plain(usage_line(program)));
    text += ".SH OPTIONS\n" + option_list(program);
    text += ".SH COMMANDS\n";
    for (const CommandDescription &command : program.commands) {
        text += section(command);
    }
    text += fmt::format(".SH EXIT STATUS\n{}\n", roff_plain(kExitStatus));
    text += fmt::format(".SH FILES\n{}\n", roff_plain(kFiles));
    return text;
}

}  // namespace emulsion
