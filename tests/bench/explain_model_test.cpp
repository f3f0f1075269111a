// emulsion explain --onnx: a model that others read, with the groups in it.

#include "tests/bench/program.h"

namespace emulsion {
namespace {

class ExplainModel : public ProgramTest {
protected:
    static void write_annotated(const std::string &network,
                                const std::vector<std::string> &flags = {}) {
        run_well({"zoo", "write", network, "-o", file("original.onnx")});
        std::vector<std::string> arguments{"explain", file("original.onnx"),
                                           "--onnx",  file("annotated.onnx"),
                                           "--json",  file("plan.json")};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        run_well(arguments);
    }
};

TEST_F(ExplainModel, OnnxAcceptsItAndEveryNodeNamesItsGroup) {
    for (const char *network : {"tiny_residual", "tiny_concat", "tiny_attention"}) {
        write_annotated(network, {"--exact"});  // an operator for every node
        const std::string code =
            "import sys, json, onnx\n"
            "model = onnx.load(sys.argv[1])\n"
            "onnx.checker.check_model(model, full_check=True)\n"
            "entries = lambda x: {e.key: e.value for e in x.metadata_props}\n"
            "nodes = [{'name': n.name, **entries(n)} for n in model.graph.node]\n"
            "print(json.dumps({'nodes': nodes, 'model': entries(model)}))\n";
        const ToolResult result = run_python(code, {file("annotated.onnx")});
        ASSERT_EQ(result.status, 0) << result.output;
        const auto read = nlohmann::json::parse(result.output);
        const nlohmann::json plan = json("plan.json");
        ASSERT_EQ(read.at("nodes").size(), plan.at("operators").size());
        for (size_t i = 0; i < plan.at("operators").size(); i++) {
            const nlohmann::json &node = read.at("nodes").at(i), &op = plan.at("operators").at(i);
            const nlohmann::json &group = plan.at("groups").at(op.at("group").get<size_t>());
            EXPECT_EQ(node.at("name"), op.at("name"));
            EXPECT_EQ(node.at("emulsion.group"), group.contains("launch")
                                                     ? std::to_string(group.at("launch").get<int>())
                                                     : "view");
            EXPECT_EQ(node.at("emulsion.group_label"), group.at("label"));
            EXPECT_FALSE(node.at("emulsion.placement").get<std::string>().empty());
            EXPECT_FALSE(node.at("emulsion.loop_nest").get<std::string>().empty());
        }
        EXPECT_EQ(read.at("model").at("emulsion.policy"), plan.at("policy"));
        EXPECT_EQ(read.at("model").at("emulsion.groups"),
                  std::to_string(plan.at("launched_groups").get<int>()));
    }
}

TEST_F(ExplainModel, ItComputesWhatTheOriginalComputes) {
    for (const char *network : {"tiny_residual", "tiny_concat"}) {
        write_annotated(network);
        run_well({"compile", file("original.onnx"), "-o", file("compiled")});
        // ONNX Runtime with the written model against Emulsion with the original.
        run_well({"verify", file("compiled"), "--model", file("annotated.onnx"), "--runs", "2"});
    }
}

TEST_F(ExplainModel, ItIsPlannedLikeTheOriginal) {
    write_annotated("tiny_concat");
    const nlohmann::json before = json("plan.json");
    run_well({"explain", file("annotated.onnx"), "--onnx", file("again.onnx"), "--json",
              file("plan.json")});
    nlohmann::json after = json("plan.json");
    after["model"] = before.at("model");
    EXPECT_EQ(after, before);
    EXPECT_EQ(read_user_file(file("again.onnx")), read_user_file(file("annotated.onnx")));
}

}  // namespace
}  // namespace emulsion
