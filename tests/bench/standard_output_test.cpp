// What goes to standard output, where a file is left out or is '-', and what is said beside the results.

#include "tests/bench/program.h"

namespace emulsion {
namespace {

namespace fs = std::filesystem;

class StandardOutput : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_plain", "-o", file("tiny.onnx")});
        run_well({"compile", file("tiny.onnx"), "-o", file("tiny")});
    }
    // Standard output of the program, without stderr; or the other way round.
    static std::string stream(const std::string &arguments, const std::string &redirection) {
        const ToolResult result = run_tool(
            {"sh", "-c", EMULSION_BINARY_DIR "/bin/emulsion " + arguments + " " + redirection},
            "sh");
        EXPECT_EQ(result.status, 0) << result.output;
        return result.output;
    }
};

TEST_F(StandardOutput, RunWithoutAFolderDescribesEveryOutput) {
    run_well({"run", file("tiny"), "--json", file("run.json")});
    const std::string text = run_well({"run", file("tiny")});
    const nlohmann::json output = json("run.json").at("outputs").at(0);
    for (const std::string &part :
         {output.at("name").get<std::string>(), std::string("f32 1x"), std::string("min "),
          std::string("max "), std::string("mean ")}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }
    EXPECT_LE(output.at("min"), output.at("mean"));
    EXPECT_LE(output.at("mean"), output.at("max"));
    EXPECT_FALSE(output.contains("file"));
}

TEST_F(StandardOutput, IsJsonAloneWhereTheFileIsADash) {
    for (const std::string &arguments :
         {"compile " + file("tiny.onnx") + " -o " + file("again"), "explain " + file("tiny.onnx"),
          "run " + file("tiny"), "bench " + file("tiny") + " --iters 1 --warmup 0"}) {
        const std::string command = arguments + " --json -";
        EXPECT_TRUE(nlohmann::json::accept(stream(command, "2>/dev/null"))) << command;
        EXPECT_FALSE(stream(command, "2>&1 >/dev/null").empty()) << command;
        // Into a file, from its beginning.
        stream(command, "2>/dev/null >" + file("piped.json"));
        EXPECT_FALSE(json("piped.json").empty()) << command;
    }
    EXPECT_FALSE(fs::exists("-"));
    expect_error({"run", file("tiny"), "--json", "-", "--trace", "-"}, 2, "only one result");
}

TEST_F(StandardOutput, AJsonThatNobodyTakesIsAFailure) {
    const ToolResult result =
        run_tool({"sh", "-c",
                  EMULSION_BINARY_DIR "/bin/emulsion run " + file("tiny") + " --json - >/dev/full"},
                 "sh");
    EXPECT_EQ(result.status, 1) << result.output;
    EXPECT_NE(result.output.find("standard output cannot be written"), std::string::npos)
        << result.output;
}

TEST_F(StandardOutput, ACacheThatCannotBeUsedIsSaidOnce) {
    const std::string folder = file("tiny.onnx") + "/cache";
    const std::string text =
        run_well({"compile", file("tiny.onnx"), "-o", file("uncached"), "--cache", folder});
    const size_t warning = text.find("emulsion: warning: cache folder '" + folder);
    ASSERT_NE(warning, std::string::npos) << text;
    EXPECT_NE(text.find("Not a directory", warning), std::string::npos) << text;
    EXPECT_EQ(text.find("warning", warning + 12), std::string::npos) << text;
    const std::string usable = run_well(
        {"compile", file("tiny.onnx"), "-o", file("cached"), "--cache", file("new/cache")});
    EXPECT_EQ(usable.find("warning"), std::string::npos) << usable;
}

TEST_F(StandardOutput, AnEmptyWordIsRefusedByTheOptionsName) {
    expect_error({"compile", file("tiny.onnx"), "-o", file("x"), "--cache", ""}, 2, "--cache");
    expect_error({"run", "", "--output-dir", file("out")}, 2, "MODEL");
}

}  // namespace
}  // namespace emulsion
