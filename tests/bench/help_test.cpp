// Help, man page and shell completion: all made from the description of the command line.

#include <fstream>
#include <regex>
#include <set>

#include "bench/cli/suggest.h"
#include "frontend/graph/pass.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

class Help : public ProgramTest {
protected:
    // "bench", "zoo write", ...: what the completion script for fish offers as commands.
    static std::vector<std::string> commands() {
        return {"bench", "compile", "completion", "doctor", "explain",
                "help",  "run",     "verify",     "zoo",    "zoo write"};
    }
    static std::set<std::string> options_in(const std::string &text) {
        static const std::regex option("--[a-z][a-z-]*");
        std::set<std::string> options;
        for (auto it = std::sregex_iterator(text.begin(), text.end(), option);
             it != std::sregex_iterator(); ++it) {
            options.insert(it->str());
        }
        return options;
    }
    // What bash offers after these words, of which the last is being typed.
    static std::string completed(const std::string &words) {
        const std::string script = "source <(" EMULSION_BINARY_DIR
                                   "/bin/emulsion completion bash)\n"
                                   "COMP_WORDS=(" +
                                   words +
                                   ")\n"
                                   "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                                   "_emulsion\n"
                                   "echo \" ${COMPREPLY[*]} \"\n";
        return run_tool({"bash", "-c", script}, "bash").output;
    }
    static bool installed(const std::string &program) {
        return run_tool({"sh", "-c", "command -v " + program}, "sh").status == 0;
    }
};

TEST_F(Help, ThePageOfTheCommandLineNamesEveryPass) {
    std::ifstream page(EMULSION_SOURCE_DIR "/docs/command-line.md");
    std::string row;
    while (std::getline(page, row) && row.find("`--disable-pass NAME`") == std::string::npos) {
    }
    for (const Pass *pass : all_passes()) {
        EXPECT_NE(std::string::npos, row.find(pass->name)) << pass->name << " is not in: " << row;
    }
}

TEST_F(Help, EveryCommandExplainsItself) {
    const std::string overview = run_well({"--help"});
    for (const std::string &command : commands()) {
        const std::string text =
            run_tool({"sh", "-c", EMULSION_BINARY_DIR "/bin/emulsion " + command + " --help"}, "sh")
                .output;
        EXPECT_NE(text.find("Usage: emulsion " + command), std::string::npos) << text;
        EXPECT_NE(text.find("Exit status:"), std::string::npos) << command;
        EXPECT_EQ(text,
                  run_tool({"sh", "-c", EMULSION_BINARY_DIR "/bin/emulsion help " + command}, "sh")
                      .output);
        EXPECT_NE(overview.find(command.substr(0, command.find(' '))), std::string::npos);
    }
    for (const char *command : {"bench", "compile", "explain", "run", "verify", "zoo"}) {
        EXPECT_NE(run_well({command, "--help"}).find("Examples:"), std::string::npos) << command;
    }
    const std::string compile = run_well({"compile", "--help"});
    for (const char *part : {"(default gao2025; dnnfusion, gao2025, none,", "1 to 256",
                             "XDG_CACHE_HOME", "stmt, schedule, assembly", "(required)"}) {
        EXPECT_NE(compile.find(part), std::string::npos) << part << "\n" << compile;
    }
    expect_error({"help", "frobnicate"}, 2, "has no command 'frobnicate'");
}

TEST_F(Help, TheDocumentNamesEveryOption) {
    const std::string document = read_user_file(EMULSION_SOURCE_DIR "/docs/command-line.md");
    for (const std::string &command : commands()) {
        for (const std::string &option : options_in(
                 run_tool({"sh", "-c", EMULSION_BINARY_DIR "/bin/emulsion help " + command}, "sh")
                     .output)) {
            EXPECT_NE(document.find(option), std::string::npos) << command << " " << option;
        }
    }
}

TEST_F(Help, TheManPageHasEveryCommandAndOption) {
    const std::string page = run_well({"help", "--man"});
    EXPECT_TRUE(page.starts_with(".TH EMULSION 1"));
    std::string plain = std::regex_replace(page, std::regex("\\\\-"), "-");
    for (const std::string &command : commands()) {
        EXPECT_NE(plain.find(".SS emulsion " + command + "\n"), std::string::npos) << command;
    }
    for (const char *option : {"--policies", "--per-group", "--output-dir", "--seed", "--cache"}) {
        EXPECT_NE(plain.find(option), std::string::npos) << option;
    }
    if (installed("groff")) {
        const ToolResult result = run_tool(
            {"sh", "-c", EMULSION_BINARY_DIR "/bin/emulsion help --man | groff -man -ww -z 2>&1"},
            "groff");
        EXPECT_EQ(result.status, 0);
        EXPECT_EQ(result.output, "");
    }
}

TEST_F(Help, MisspelledWordsGetASuggestion) {
    expect_error({"explian", "m.onnx"}, 2, "did you mean 'explain'?");
    expect_error({"bench", "m.onnx", "--iter", "3"}, 2, "did you mean '--iters'?");
    expect_error({"zoo", "write", "tiny_plain", "-o", "x", "--sead=3"}, 2, "'--seed'?");
    EXPECT_EQ(closest("verfy", std::vector<std::string>{"run", "verify"}), "verify");
    EXPECT_EQ(closest("frobnicate", std::vector<std::string>{"run", "verify"}), "");
    EXPECT_EQ(closest(std::string(1'000'000, 'x'), std::vector<std::string>{"run"}), "");
}

TEST_F(Help, BashCompletesCommandsOptionsValuesAndFiles) {
    EXPECT_EQ(completed("emulsion ver"), " verify \n");
    EXPECT_EQ(completed("emulsion zoo ''").find("list"), 1U);
    EXPECT_EQ(completed("emulsion bench m.onnx --pro"), " --profile \n");
    EXPECT_EQ(completed("emulsion compile --policy g"), " gao2025 \n");
    EXPECT_EQ(completed("emulsion bench --policies none,ga"), " none,gao2025 \n");
    EXPECT_EQ(completed("emulsion compile --policy = no"), " none \n");
    EXPECT_EQ(completed("emulsion zoo write mobilenet_v"), " mobilenet_v1 \n");
    EXPECT_EQ(completed("emulsion compile m.onnx --disable-pass fold-b"), " fold-batch-norms \n");
    EXPECT_EQ(completed("emulsion bench --iters 1"), "  \n");
    run_well({"zoo", "write", "tiny_plain", "-o", file("net.onnx")});
    EXPECT_EQ(completed("emulsion compile " + file("n")), " " + file("net.onnx") + " \n");
    EXPECT_EQ(completed("emulsion run m --input x = " + file("n")), "  \n");  // no .npy there
    EXPECT_EQ(completed("emulsion compile m.onnx -o " + file("t")), " " + file("tmp") + " \n");
}

TEST_F(Help, EveryShellGetsAScriptItUnderstands) {
    for (const char *shell : {"bash", "zsh", "fish"}) {
        const std::string script = run_well({"completion", shell});
        for (const char *part : {"explain", "per-group", "mobilenet_v1", "gao2025"}) {
            EXPECT_NE(script.find(part), std::string::npos) << shell << " " << part;
        }
        if (installed(shell)) {
            const ToolResult result =
                run_tool({"sh", "-c",
                          std::string(EMULSION_BINARY_DIR "/bin/emulsion completion ") + shell +
                              " | " + shell + " -n 2>&1"},
                         shell);
            EXPECT_EQ(result.status, 0) << result.output;
            EXPECT_EQ(result.output, "");
        }
    }
    expect_error({"completion", "tcsh"}, 2, "bash, zsh and fish");
}

}  // namespace
}  // namespace emulsion
