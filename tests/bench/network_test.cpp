// run, verify and bench on a small network, from the model file to the figures.

#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/npy.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

namespace fs = std::filesystem;

class TinyNetwork : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_residual", "-o", file("tiny.onnx")});
        run_well(
            {"compile", file("tiny.onnx"), "-o", file("tiny"), "--json", file("compile.json")});
    }
    void TearDown() override { EXPECT_TRUE(leftovers().empty()) << "temporary folders are left"; }

    // The outputs of `run`, by file name.
    static std::map<std::string, Array> outputs(const std::string &folder) {
        std::map<std::string, Array> arrays;
        for (const auto &entry : fs::directory_iterator(file(folder))) {
            arrays[entry.path().filename().string()] = read_npy(entry.path().string());
        }
        return arrays;
    }
    static void expect_keys(const nlohmann::json &json, const std::vector<const char *> &keys) {
        for (const char *key : keys) {
            EXPECT_TRUE(json.contains(key)) << key;
        }
    }
};

TEST_F(TinyNetwork, CompileReportsItsFigures) {
    const nlohmann::json report = json("compile.json");
    expect_keys(report, {"seconds", "units", "cached_units", "plan_hash", "target"});
    EXPECT_GE(report.at("arena_bytes").get<int64_t>(), report.at("live_bytes").get<int64_t>());
    run_well({"compile", file("tiny.onnx"), "-o", file("again"), "--json", file("again.json")});
    EXPECT_EQ(json("again.json").at("cached_units"), json("again.json").at("units"));
    EXPECT_EQ(json("again.json").at("plan_hash"), report.at("plan_hash"));
}

TEST_F(TinyNetwork, RunGivesTheSameFromAModelAndFromAFolder) {
    run_well({"run", file("tiny.onnx"), "--output-dir", file("from_model"), "--seed", "3"});
    run_well({"run", file("tiny"), "--output-dir", file("from_folder"), "--seed", "3"});
    run_well({"run", file("tiny"), "--output-dir", file("other_seed"), "--seed", "4"});
    EXPECT_FALSE(outputs("from_model").empty());
    EXPECT_EQ(outputs("from_model"), outputs("from_folder"));
    EXPECT_NE(outputs("from_model"), outputs("other_seed"));
}

TEST_F(TinyNetwork, VerifyPassesForBothPolicies) {
    for (const char *policy : {"gao2025", "none"}) {
        run_well({"verify", file("tiny.onnx"), "--policy", policy, "--per-group", "--runs", "3",
                  "--json", file("verify.json")});
        const nlohmann::json report = json("verify.json");
        expect_keys(report, {"runs", "max_abs_error", "worst_bound_ratio", "sensitivity", "pass"});
        EXPECT_EQ(report.at("runs"), 3);
        EXPECT_TRUE(report.at("pass"));
        EXPECT_LE(report.at("worst_bound_ratio").get<double>(), 1.0);
        EXPECT_GE(report.at("sensitivity").get<double>(), 100.0);
        int compared = 0;
        for (const auto &group : report.at("groups")) {
            compared += group.at("worst_bound_ratio").is_null() ? 0 : 1;
        }
        EXPECT_GE(compared, 1);
    }
}

TEST_F(TinyNetwork, VerifyFailsForADamagedLayerAndSaysWhichGroup) {
    const ToolResult damaged =
        run_script("damage_layer.py", {file("tiny.onnx"), file("damaged.onnx")});
    ASSERT_EQ(damaged.status, 0) << damaged.output;
    run_well({"compile", file("damaged.onnx"), "-o", file("damaged")});
    expect_error({"verify", file("damaged"), "--model", file("tiny.onnx"), "--per-group", "--json",
                  file("damaged.json")},
                 1, "the result is wrong");
    const nlohmann::json report = json("damaged.json");
    EXPECT_FALSE(report.at("pass"));
    EXPECT_GT(report.at("worst_bound_ratio").get<double>(), 1.0);
    // The groups before the damaged one are right.
    EXPECT_LE(report.at("groups").at(0).at("worst_bound_ratio").get<double>(), 1.0);
}

TEST_F(TinyNetwork, VerifyAgainstFilesComparesWithThem) {
    const nlohmann::json input = json("tiny/manifest.json").at("inputs").at(0);
    const auto shape = input.at("shape").get<std::vector<int64_t>>();
    Array zero{DataType::F32, shape, {}};
    zero.bytes.resize(static_cast<size_t>(checked_bytes(shape, 4)));
    write_npy(file("zero.npy"), zero);
    const std::string assignment = input.at("name").get<std::string>() + "=" + file("zero.npy");
    run_well({"run", file("tiny"), "--output-dir", file("wanted"), "--input", assignment});
    run_well({"run", file("tiny"), "--output-dir", file("unwanted")});
    const std::string name = outputs("wanted").begin()->first;
    run_well({"verify", file("tiny"), "--input", assignment, "--against", file("wanted/" + name)});
    expect_error(
        {"verify", file("tiny"), "--input", assignment, "--against", file("unwanted/" + name)}, 1,
        "the result is wrong");
    expect_error({"verify", file("tiny"), "--input", assignment, "--against", file("zero.npy")}, 2,
                 "the network has");
}

TEST_F(TinyNetwork, VerifySaysHowToGetAReference) {
    expect_error(
        {"verify", file("tiny"), "--model", file("tiny.onnx"), "--python", file("no_python")}, 1,
        "no_python");
}

TEST_F(TinyNetwork, BenchReportsEveryPolicy) {
    run_well({"bench", file("tiny.onnx"), "--iters", "20", "--json", file("bench.json")});
    const nlohmann::json report = json("bench.json");
    expect_keys(report, {"model", "target", "threads", "operators", "policies"});
    EXPECT_EQ(report.at("policies").size(), 2U);
    for (const auto &[name, row] : report.at("policies").items()) {
        SCOPED_TRACE(name);
        expect_keys(row, {"median_ms", "min_ms", "p90_ms", "groups", "fusion_ratio", "peak_rss_mb",
                          "peak_arena_mb"});
        EXPECT_LE(row.at("min_ms"), row.at("median_ms"));
        EXPECT_LE(row.at("median_ms"), row.at("p90_ms"));
        EXPECT_DOUBLE_EQ(row.at("fusion_ratio").get<double>(),
                         report.at("operators").get<double>() / row.at("groups").get<double>());
    }
    EXPECT_LT(report.at("policies").at("gao2025").at("groups"),
              report.at("policies").at("none").at("groups"));
}

TEST_F(TinyNetwork, AnInterruptedBenchLeavesNoTemporaryFolder) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    const pid_t child = start_program({std::string(EMULSION_BINARY_DIR) + "/bin/emulsion", "bench",
                                       file("tiny.onnx"), "--duration", "600"},
                                      null, null);
    for (int i = 0; i < 600 && leftovers().empty(); i++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_FALSE(leftovers().empty());
    kill(child, SIGTERM);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
    close(null);
}

}  // namespace
}  // namespace emulsion
