// bench/compare-builds: whether two builds make the same code, and how their times compare where they don't.
#include <filesystem>
#include <fstream>

#include "tests/bench/program.h"

namespace emulsion {
namespace {

const std::string kProgram = EMULSION_BINARY_DIR "/bin/emulsion";

class SlowCompareBuilds : public ProgramTest {
protected:
    // A model, and a program that compiles with one more flag.
    static std::string model() {
        run_well({"zoo", "write", "tiny_residual", "-o", file("tiny.onnx")});
        return file("tiny.onnx");
    }
    static std::string program_with(const std::string &flag) {
        const std::string path = file("other-build");
        std::ofstream(path) << "#!/bin/sh\nexec " + kProgram + " \"$@\" " + flag + "\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }
    static ToolResult compare(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--new", kProgram, "--rounds", "2", "--iterations", "2",
                                           "--gap", "0", "--json", file("builds.json")});
        return run_script("compare_builds.py", std::move(arguments));
    }
};

TEST_F(SlowCompareBuilds, DoNotMeasureTheSameCode) {
    const ToolResult result = compare({model(), "--old", kProgram, "--threads", "1,2"});
    EXPECT_EQ(0, result.status) << result.output;
    const nlohmann::json figures = json("builds.json");
    ASSERT_EQ(2U, figures["rows"].size());
    for (const nlohmann::json &row : figures["rows"]) {
        EXPECT_TRUE(row["same_code"]);
        EXPECT_EQ(1.0, row["ratio"]);
        EXPECT_FALSE(row.contains("new_ms"));
    }
    EXPECT_EQ(1.0, figures["ratio"]);
}

TEST_F(SlowCompareBuilds, MeasureOtherCodeAndCheckItsResults) {
    const ToolResult result =
        compare({model(), "--old", program_with("--policy none"), "--threads", "1"});
    EXPECT_EQ(0, result.status) << result.output;
    const nlohmann::json row = json("builds.json")["rows"].at(0);
    EXPECT_FALSE(row["same_code"]);
    EXPECT_GT(row["old_ms"], 0.0);
    EXPECT_GT(row["new_ms"], 0.0);
    EXPECT_LE(row["worst_bound_ratio"], 1.0);
    EXPECT_LE(row["ratio_interval"][0], row["ratio_interval"][1]);
}

TEST_F(SlowCompareBuilds, TellWhatFlagsAreWorth) {
    const ToolResult result = compare(
        {model(), "--old", kProgram, "--threads", "1", "--new-flags", "--policy none --exact"});
    EXPECT_EQ(0, result.status) << result.output;
    const nlohmann::json row = json("builds.json")["rows"].at(0);
    EXPECT_FALSE(row["same_code"]);
    EXPECT_LE(row["worst_bound_ratio"], 1.0);
    EXPECT_NE(0, compare({model(), "--old", kProgram, "--new-flags", "--polcy none"}).status);
}

TEST_F(SlowCompareBuilds, RefuseWhatIsNotThere) {
    EXPECT_EQ(2, compare({file("missing.onnx"), "--old", kProgram}).status);
    EXPECT_EQ(2, compare({model(), "--old", kProgram, "--threads", "two"}).status);
    EXPECT_EQ(1, compare({model(), "--old", file("no-program")}).status);
}

}  // namespace
}  // namespace emulsion
