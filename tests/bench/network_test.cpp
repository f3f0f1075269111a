// run, verify and bench on a small network, from the model file to the figures.

#include <algorithm>
#include <csignal>
#include <fstream>
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
    // A process that has its temporary folder and goes on for long.
    static pid_t long_bench() {
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        const pid_t child = start_program({std::string(EMULSION_BINARY_DIR) + "/bin/emulsion",
                                           "bench", file("tiny.onnx"), "--duration", "600"},
                                          null, null);
        close(null);
        for (int i = 0; i < 600 && leftovers().empty(); i++) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return child;
    }
    // How a process ends that a signal is sent to: 0 only if it is done.
    static int status_after(int signal, pid_t process) {
        kill(process, signal);
        int status = 0;
        EXPECT_EQ(waitpid(process, &status, 0), process);
        return status;
    }

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

// Random integers from 0 to 9 would be refused by ONNX Runtime.
TEST_F(TinyNetwork, VerifyDrawsIndicesThatAnEmbeddingHas) {
    const ToolResult written = run_python(
        "import numpy, onnx, sys\n"
        "from onnx import helper, numpy_helper, TensorProto as T\n"
        "w = numpy_helper.from_array(numpy.arange(24, dtype=numpy.float32).reshape(3, 8), 'w')\n"
        "graph = helper.make_graph([helper.make_node('Gather', ['w', 'i'], ['y'])], 'g',\n"
        "    [helper.make_tensor_value_info('i', T.INT64, [5])],\n"
        "    [helper.make_tensor_value_info('y', T.FLOAT, [5, 8])], [w])\n"
        "onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8),\n"
        "          sys.argv[1])\n",
        {file("embedding.onnx")});
    ASSERT_EQ(0, written.status) << written.output;
    run_well({"verify", file("embedding.onnx"), "--runs", "3"});
    run_well({"verify", file("embedding.onnx"), "--runs", "2", "--against", "f64"});
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
        EXPECT_TRUE(report.at("first_wrong_group").is_null());
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
    // The groups before the damaged one are right, it is not.
    const auto first = report.at("first_wrong_group").get<size_t>();
    EXPECT_GT(first, 0U);
    for (size_t i = 0; i <= first; i++) {
        const auto &ratio = report.at("groups").at(i).at("worst_bound_ratio");
        if (!ratio.is_null()) {
            EXPECT_EQ(ratio.get<double>() > 1.0, i == first) << i;
        }
    }
}

TEST_F(TinyNetwork, VerifyComparesGroupsOnEveryInput) {
    // Weights of the input's first channel doubled: right on a first input without that channel.
    const ToolResult made = run_python(R"(
import numpy, onnx, sys
from onnx import numpy_helper
model = onnx.load(sys.argv[1])
conv = next(n for n in model.graph.node if n.op_type == "Conv")
weights = next(t for t in model.graph.initializer if t.name == conv.input[1])
values = numpy_helper.to_array(weights).copy()
values[:, 0] *= 2
weights.CopyFrom(numpy_helper.from_array(values, weights.name))
onnx.save(model, sys.argv[2])
shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
data = numpy.ones(shape, "float32")
data[:, 0] = 0
numpy.save(sys.argv[3], data)
)",
                                       {file("tiny.onnx"), file("later.onnx"), file("first.npy")});
    ASSERT_EQ(made.status, 0) << made.output;
    const std::string name = json("tiny/manifest.json").at("inputs").at(0).at("name");
    expect_error({"verify", file("later.onnx"), "--model", file("tiny.onnx"), "--per-group",
                  "--runs", "2", "--input", name + "=" + file("first.npy"), "--json",
                  file("later.json")},
                 1, "run 2");
    const nlohmann::json report = json("later.json");
    const auto first = report.at("first_wrong_group").get<size_t>();
    EXPECT_EQ(report.at("groups").at(first).at("worst_run"), 2);
}

TEST_F(TinyNetwork, NetworksMayHaveSeveralInputsAndOutputsOfSeveralTypes) {
    // Sums in four types, and a boolean that comes out as it went in.
    const ToolResult made = run_python(R"(
import onnx, sys
from onnx import TensorProto as T, helper as h
types = {"f32": T.FLOAT, "f64": T.DOUBLE, "i32": T.INT32, "i64": T.INT64}
nodes, inputs, outputs = [], [], []
for name, kind in types.items():
    inputs += [h.make_tensor_value_info(f"{x}_{name}", kind, [2, 5]) for x in "ab"]
    outputs.append(h.make_tensor_value_info(f"sum_{name}", kind, [2, 5]))
    nodes.append(h.make_node("Add", [f"a_{name}", f"b_{name}"], [f"sum_{name}"], name=f"add_{name}"))
inputs.append(h.make_tensor_value_info("flag", T.BOOL, [3, 7]))
outputs.append(h.make_tensor_value_info("same", T.BOOL, [3, 7]))
nodes.append(h.make_node("Identity", ["flag"], ["same"], name="identity"))
graph = h.make_graph(nodes, "types", inputs, outputs)
onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 20)], ir_version=8), sys.argv[1])
)",
                                       {file("types.onnx")});
    ASSERT_EQ(made.status, 0) << made.output;
    run_well(
        {"verify", file("types.onnx"), "--runs", "3", "--per-group", "--json", file("types.json")});
    EXPECT_TRUE(json("types.json").at("pass"));
    // What `run` writes, `run` and `verify` read.
    run_well({"compile", file("types.onnx"), "-o", file("types")});
    run_well({"run", file("types"), "--output-dir", file("sums"), "--seed", "5"});
    const std::map<std::string, Array> sums = outputs("sums");
    ASSERT_EQ(sums.size(), 5U);
    EXPECT_EQ(sums.at("sum_i64.npy").type, DataType::I64);
    EXPECT_EQ(sums.at("same.npy").type, DataType::Bool);
    std::vector<std::string> arguments = {"--input", "flag=" + file("sums/same.npy")};
    for (const std::string type : {"f32", "f64", "i32", "i64"}) {
        for (const std::string name : {"a_", "b_"}) {
            arguments.push_back(name + type + "=" + file("sums/sum_" + type + ".npy"));
        }
    }
    std::vector<std::string> twice = {"run", file("types"), "--output-dir", file("twice")};
    twice.insert(twice.end(), arguments.begin(), arguments.end());
    run_well(twice);
    std::vector<std::string> against = {"verify", file("types"), "--against"};
    for (const auto &[name, array] : sums) {
        against.push_back(file("twice/" + name));
    }
    against.insert(against.end(), arguments.begin(), arguments.end());
    run_well(against);
    // One output of another run is noticed.
    std::replace(against.begin(), against.end(), file("twice/sum_i32.npy"),
                 file("sums/sum_i32.npy"));
    expect_error(against, 1, "output 'sum_i32'");
}

TEST_F(TinyNetwork, VerifyRefusesAModelThatIsNotTheNetworks) {
    std::ofstream(file("text.onnx")) << "no model\n";
    expect_error({"verify", file("tiny"), "--model", file("text.onnx")}, 2, "text.onnx");
    run_well({"zoo", "write", "mobilenet_v1", "-o", file("other.onnx")});
    expect_error({"verify", file("tiny"), "--model", file("other.onnx"), "--runs", "2"}, 2,
                 "other.onnx");
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
    const pid_t child = long_bench();
    EXPECT_FALSE(leftovers().empty());
    EXPECT_NE(0, status_after(SIGTERM, child));
}

TEST_F(TinyNetwork, WhatAKilledBenchLeavesGoesWithTheNextRunAndThatOfALivingOneStays) {
    const pid_t child = long_bench();
    const std::vector<std::string> of_child = leftovers();
    ASSERT_FALSE(of_child.empty());
    run_well({"bench", file("tiny"), "--iters", "1", "--warmup", "0"});
    const std::vector<std::string> living = leftovers();
    EXPECT_NE(living.end(), std::find(living.begin(), living.end(), of_child.front()));
    EXPECT_NE(0, status_after(SIGKILL, child));
    EXPECT_FALSE(leftovers().empty());
    run_well({"bench", file("tiny"), "--iters", "1", "--warmup", "0"});
    // TearDown() looks.
}

}  // namespace
}  // namespace emulsion
