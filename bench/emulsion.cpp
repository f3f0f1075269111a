// The `emulsion` program: finds the command, turns errors into one sentence and an exit code.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/compiler.h"
#include "bench/cli/description.h"
#include "bench/cli/help_text.h"
#include "bench/cli/suggest.h"
#include "bench/commands/command.h"
#include "bench/support_text.h"
#include "frontend/graph/support_report.h"
#include "fusion/error.h"

namespace {

constexpr int kFailed = 1;
constexpr int kRefused = 2;
constexpr size_t kMostListed = 20;  // refusals of a model, where a command is not about them

constexpr const char *kManual =
    "'emulsion COMMAND --help' explains a command and what its numbers mean.\n"
    "\n"
    "Examples:\n"
    "  emulsion zoo write mobilenet_v1 -o mobilenet_v1.onnx\n"
    "  emulsion compile mobilenet_v1.onnx -o mobilenet_v1\n"
    "  emulsion verify mobilenet_v1 --model mobilenet_v1.onnx";

int complain(std::string sentence, int code) {
    // What others report may have several lines.
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    sentence.erase(sentence.find_last_not_of(' ') + 1);
    // Not through fmt::print, which throws where stderr cannot be written to.
    std::fputs(fmt::format("emulsion: error: {}\n", sentence).c_str(), stderr);
    return code;
}

// With a list before it where there is more than one thing to say.
int complain(const emulsion::UnsupportedModel &error) {
    const emulsion::SupportReport &report = error.report();
    if (report.count() == 1) {
        return complain(error.what(), error.exit_code());
    }
    std::fputs(fmt::format("{}\n", emulsion::support_text(report, kMostListed)).c_str(), stderr);
    const bool all = report.count() <= static_cast<int64_t>(kMostListed);
    return complain(fmt::format("{}: {}{}", report.file(), report.headline(),
                                all ? "" : " ('emulsion check' lists more)"),
                    error.exit_code());
}

// "; did you mean 'bench'?", or nothing.
std::string suggestion(const std::string &word, const std::vector<std::string> &known) {
    const std::string close = emulsion::closest(word, known);
    return close.empty() ? "" : fmt::format("; did you mean '{}'?", close);
}

std::vector<std::string> known_commands() {
    std::vector<std::string> names;
    for (const emulsion::Command *command : emulsion::all_commands()) {
        names.push_back(command->name);
    }
    return names;
}

// The innermost command of the command line.
const CLI::App *chosen_command(const CLI::App *app) {
    const auto subs = app->get_subcommands();
    return subs.empty() ? app : chosen_command(subs[0]);
}

// What is wrong with words that nobody expected.
std::string unexpected(const CLI::App &app, const CLI::App &chosen) {
    const std::vector<std::string> words = app.remaining(true);
    const std::string word = words.empty() ? "" : words[0].substr(0, words[0].find('='));
    if (!word.starts_with('-')) {
        return fmt::format("unexpected argument '{}'", word);
    }
    std::vector<std::string> options;
    for (const emulsion::OptionDescription &option : emulsion::describe(chosen).options) {
        options.insert(options.end(), option.names.begin(), option.names.end());
    }
    return fmt::format("unknown option '{}'{}", word, suggestion(word, options));
}

// The first option or argument that was given as an empty word, which names nothing.
std::string empty_option(const CLI::App &chosen) {
    for (const CLI::Option *option : chosen.get_options()) {
        for (const std::string &word : option->results()) {
            if (word.empty()) {
                return option->get_name();
            }
        }
    }
    return "";
}

int run(int argc, char **argv) {
    CLI::App app("Compiles neural networks to machine code through Halide", "emulsion");
    app.formatter_fn([](const CLI::App *command, const std::string &, CLI::AppFormatMode) {
        return emulsion::help_text(emulsion::describe(*command));
    });
    app.set_version_flag("--version", "emulsion " EMULSION_VERSION, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.require_subcommand(1);
    app.footer(kManual);
    std::map<const CLI::App *, std::function<int()>> actions;
    for (const emulsion::Command *command : emulsion::all_commands()) {
        CLI::App *sub = app.add_subcommand(command->name, command->summary);
        actions[sub] = command->add(*sub);
    }
    // CLI11 would call it an unexpected argument.
    const std::vector<std::string> known = known_commands();
    if (argc > 1 && argv[1][0] != '-' &&
        std::find(known.begin(), known.end(), argv[1]) == known.end()) {
        const std::string close = suggestion(argv[1], known);
        return complain(fmt::format("unknown command '{}'{}", argv[1],
                                    close.empty()
                                        ? fmt::format("; known are {}", fmt::join(known, ", "))
                                        : close),
                        kRefused);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &help) {
        return app.exit(help);
    } catch (const CLI::ParseError &error) {
        const CLI::App &chosen = *chosen_command(&app);
        const bool extra = dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr;
        return complain(fmt::format("{} (see '{} --help')",
                                    extra ? unexpected(app, chosen) : error.what(),
                                    emulsion::describe(chosen).path),
                        kRefused);
    }
    const CLI::App &chosen = *chosen_command(&app);
    if (const std::string option = empty_option(chosen); !option.empty()) {
        return complain(fmt::format("{} is given an empty word; give it a value (see '{} --help')",
                                    option, emulsion::describe(chosen).path),
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
        const int code = run(argc, argv);
        // Results that did not reach their reader are no results.
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            return complain(fmt::format("the output cannot be written: {}", std::strerror(errno)),
                            kFailed);
        }
        return code;
    } catch (const emulsion::UnsupportedModel &error) {
        return complain(error);
    } catch (const emulsion::Error &error) {
        return complain(error.what(), error.exit_code());
    } catch (const std::bad_alloc &) {
        return complain("not enough memory", kFailed);
    } catch (const std::exception &error) {
        return complain(error.what(), kFailed);
    } catch (...) {  // Halide's are no std::exception
        return complain("an internal error without a message", kFailed);
    }
}
