// `emulsion check`, and the same list where other commands refuse a model.

#include "tests/bench/program.h"

#include <string>
#include <vector>

namespace emulsion {
namespace {

// A chain with two operators that Emulsion does not have, one that nobody has, and one in a form that it does
// not take. Python's package writes it, as a user would.
constexpr const char *kWriter = R"(
import sys
import onnx
from onnx import TensorProto, helper

node = helper.make_node
nodes = [
    node("Relu", ["x"], ["a"], name="first"),
    node("NonZero", ["a"], ["b"], name="places"),
    node("Cast", ["b"], ["c"], name="as_real", to=TensorProto.FLOAT),
    node("LSTM", ["c", "c", "c"], ["d"], name="steps", hidden_size=4),
    node("Celu", ["a"], ["e"], name="wrong", alpha=0.0),
    node("Fancy", ["a"], ["f"], name="custom", domain="com.example"),
    node("Sigmoid", ["a"], ["y"], name="last"),
]
value = helper.make_tensor_value_info
graph = helper.make_graph(nodes, "g", [value("x", TensorProto.FLOAT, [2, 4])],
                          [value(name, TensorProto.FLOAT, None) for name in "yedf"])
onnx.save(helper.make_model(graph, ir_version=10, opset_imports=[
    helper.make_opsetid("", 22), helper.make_opsetid("com.example", 1)]), sys.argv[1])
)";

class Check : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_plain", "-o", file("tiny.onnx")});
        ASSERT_EQ(run_python(kWriter, {file("bad.onnx")}).status, 0);
    }
};

TEST_F(Check, ASupportedModelIsSaidToBe) {
    const std::string text = run_well({"check", file("tiny.onnx"), "--json", file("good.json")});
    EXPECT_NE(text.find("tiny.onnx: "), std::string::npos) << text;
    EXPECT_NE(text.find("nodes are supported, 0 refused, 0 not judged"), std::string::npos) << text;
    const nlohmann::json good = json("good.json");
    EXPECT_TRUE(good.at("supported"));
    EXPECT_EQ(good.at("supported_nodes"), good.at("nodes"));
    EXPECT_TRUE(good.at("listed").empty());
}

TEST_F(Check, EverythingUnsupportedIsListedWithNodeReasonAndWhatToDo) {
    const ToolResult result = run({"check", file("bad.onnx"), "--json", file("bad.json")});
    EXPECT_EQ(result.status, 2) << result.output;
    for (const std::string part :
         {"node 'places' (#1, NonZero)", "operator 'NonZero' is not supported",
          "node 'steps' (#3, LSTM)", "node 'wrong' (#4, Celu)", "attribute alpha is 0",
          "node 'custom' (#5, Fancy)", "domain 'com.example'",
          "to do: ", "bad.onnx: 2 of 7 nodes are supported, 4 refused, 1 not judged"}) {
        EXPECT_NE(result.output.find(part), std::string::npos) << part << " in\n" << result.output;
    }
    const nlohmann::json bad = json("bad.json");
    EXPECT_FALSE(bad.at("supported"));
    EXPECT_EQ(bad.at("refusals"), 4);
    EXPECT_EQ(bad.at("by_operator").size(), 4U);
    ASSERT_EQ(bad.at("listed").size(), 4U);
    for (const nlohmann::json &refusal : bad.at("listed")) {
        for (const char *key : {"node", "operator", "reason", "to_do"}) {
            EXPECT_FALSE(refusal.at(key).get<std::string>().empty()) << key;
        }
    }
}

TEST_F(Check, OtherCommandsRefuseTheModelWithTheSameList) {
    const std::string checked = run({"check", file("bad.onnx")}).output;
    const std::string list = checked.substr(0, checked.find("\n\n"));
    ASSERT_NE(list.find("NonZero"), std::string::npos);
    const std::vector<std::vector<std::string>> commands = {
        {"compile", file("bad.onnx"), "-o", file("out")},
        {"run", file("bad.onnx")},
        {"bench", file("bad.onnx"), "--iters", "1"},
        {"verify", file("bad.onnx"), "--runs", "2"},
        {"explain", file("bad.onnx")},
        {"fusion", file("bad.onnx"), "--iters", "1"},
        {"fusion", file("bad.onnx"), "--plan-only"},
        {"calibrate", file("bad.onnx"), "-o", file("machine.json")},
        {"examine", file("bad.onnx")}};
    for (const std::vector<std::string> &command : commands) {
        const ToolResult result = run(command);
        EXPECT_EQ(result.status, 2) << command[0];
        EXPECT_EQ(result.output.rfind(list, 0), 0U) << command[0] << "\n" << result.output;
        EXPECT_NE(result.output.find("emulsion: error: " + file("bad.onnx") + ": 4 refusals"),
                  std::string::npos)
            << command[0] << "\n"
            << result.output;
    }
    EXPECT_FALSE(std::filesystem::exists(file("out")));
}

TEST_F(Check, AFileThatIsNoModelIsAnError) {
    write_whole_file(file("text.onnx"), {"no model"});
    expect_error({"check", file("text.onnx")}, 2, "text.onnx: ");
    expect_error({"check", file("missing.onnx")}, 2, "missing.onnx: ");
    expect_error({"check", file("tiny.onnx"), "--policy", "none"}, 2, "--policy");
}

}  // namespace
}  // namespace emulsion
