// Functions of the model, operators that ONNX defines by a body, and branches: all are inlined.
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include <stdexcept>

#include "frontend/onnx/loader.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

// A model with functions: they follow the graph, and live in the domain "local".
onnx::ModelProto with_functions(const std::string &graph_and_functions) {
    onnx::ModelProto result;
    const std::string text =
        "<ir_version: 10, opset_import: [\"\" : 18, \"local\" : 1]>\n" + graph_and_functions;
    const auto status = onnx::OnnxParser::Parse(result, text);
    if (!status.IsOK()) {
        throw std::runtime_error("bad model in a test: " + status.ErrorMessage());
    }
    return result;
}

TEST(Functions, CallsAreReplacedByTheirNodes) {
    const Graph graph = load(with_functions(R"(agraph (float[2,3] x) => (float[2,3] y)
        { [first] t = local.twice(x)
          [second] y = local.twice(t) }
        <domain: "local", opset_import: ["" : 18]>
        twice (a) => (b)
        { [inner] c = Relu(a)
          b = Add(c, c) })"));
    ASSERT_EQ(operators(graph), "Relu Add Relu Add");
    EXPECT_EQ(graph.nodes[0].name, "first/inner");
    EXPECT_EQ(graph.nodes[1].name, "first/Add_1");
    EXPECT_EQ(graph.nodes[2].name, "second/inner");
    EXPECT_EQ(graph.nodes[2].index, 1) << "the index is the call's";
    EXPECT_EQ(graph.tensor(graph.nodes[0].result()).name, "first/c");
    EXPECT_EQ(graph.tensor(graph.nodes[1].result()).name, "t") << "the name in the model's graph";
    EXPECT_EQ(graph.tensor(graph.outputs[0]).name, "y");
}

TEST(Functions, AttributesReachTheNodesInside) {
    const Graph graph = load(with_functions(R"(agraph (float[2,3] x) => (float[2] y, float[2,1] z)
        { y = local.mean <keep = 0> (x)
          z = local.mean(x) }
        <domain: "local", opset_import: ["" : 18]>
        mean <keep: int = 1> (a) => (b)
        { axes = Constant <value_ints = [1]> ()
          b = ReduceMean <keepdims: int = @keep> (a, axes) })"));
    EXPECT_EQ(graph.nodes[0].integer("keepdims", -1), 0);
    EXPECT_EQ(graph.nodes[1].integer("keepdims", -1), 1);
    EXPECT_EQ(graph.nodes[0].inputs[1], graph.nodes[1].inputs[1]) << "one constant for both calls";
}

TEST(Functions, AConstantMayBeAnAttributeOfTheCall) {
    const Graph graph = load(with_functions(R"(agraph (float[2] x) => (float[2] y)
        { y = local.scale <alpha = 3.0> (x) }
        <domain: "local", opset_import: ["" : 18]>
        scale <alpha: float = 1.0> (a) => (b)
        { f = Constant <value_float: float = @alpha> ()
          b = Mul(a, f) })"));
    ASSERT_EQ(operators(graph), "Mul");
    EXPECT_EQ(*graph.tensor(graph.nodes[0].inputs[1]).constant->as<float>(), 3.0F);
}

TEST(Functions, OperandsMayBeAbsent) {
    const Graph graph = load(with_functions(R"(agraph (float[2,3] x) => (float[2,3] y)
        { y = local.limit(x) }
        <domain: "local", opset_import: ["" : 18]>
        limit (a, low, high) => (b) { b = Clip(a, low, high) })"));
    ASSERT_EQ(operators(graph), "Clip");
    EXPECT_EQ(graph.nodes[0].inputs[2], kNoTensor);
}

TEST(Functions, AFunctionMayHandOutItsOperand) {
    const Graph graph = load(with_functions(R"(agraph (float[2] x) => (float[2] y, float[2] z)
        { t = local.nothing(x)
          y = Relu(t)
          z = local.nothing(y) }
        <domain: "local", opset_import: ["" : 18]>
        nothing (a) => (a) { b = Relu(a) })"));
    EXPECT_EQ(graph.nodes.back().operator_type, "Identity");
    EXPECT_EQ(graph.tensor(graph.outputs[0]).name, "y");
    EXPECT_EQ(graph.tensor(graph.outputs[1]).name, "z");
}

TEST(Functions, FunctionsCallFunctions) {
    const Graph graph = load(with_functions(R"(agraph (float[2] x) => (float[2] y)
        { [call] y = local.outer(x) }
        <domain: "local", opset_import: ["" : 18, "local" : 1]>
        outer (a) => (b) { [deep] b = local.inner(a) }
        <domain: "local", opset_import: ["" : 18]>
        inner (a) => (b) { [r] b = Relu(a) })"));
    ASSERT_EQ(operators(graph), "Relu");
    EXPECT_EQ(graph.nodes[0].name, "call/deep/r");
    EXPECT_EQ(graph.tensor(graph.nodes[0].result()).name, "y");
}

TEST(Functions, ErrorsNameTheCallAndTheNodeInside) {
    const std::string text =
        refusal(with_functions(R"(agraph (float[2] x, float[3] w) => (float[2] y)
        { t = Relu(x)
          [call] y = local.sum(t, w) }
        <domain: "local", opset_import: ["" : 18]>
        sum (a, b) => (c) { [inner] c = Add(a, b) })"));
    expect_contains(text, "node 'call/inner' (#1, Add)");
}

TEST(Functions, RecursionIsRefused) {
    const std::string text = refusal(with_functions(R"(agraph (float[2] x) => (float[2] y)
        { y = local.ping(x) }
        <domain: "local", opset_import: ["" : 18, "local" : 1]>
        ping (a) => (b) { b = local.pong(a) }
        <domain: "local", opset_import: ["" : 18, "local" : 1]>
        pong (a) => (b) { b = local.ping(a) })"));
    EXPECT_NE(text, "");
}

TEST(Functions, ExpansionBombsAreRefused) {
    // Each function calls the one before twice: 2^40 nodes.
    std::string text = R"(agraph (float[2] x) => (float[2] y) { y = local.f40(x) }
        <domain: "local", opset_import: ["" : 18]> f0 (a) => (b) { b = Relu(a) })";
    for (int i = 1; i <= 40; ++i) {
        const std::string callee = "local.f" + std::to_string(i - 1);
        text += "\n<domain: \"local\", opset_import: [\"\" : 18, \"local\" : 1]> f" +
                std::to_string(i) + " (a) => (c) { b = " + callee + "(a) c = " + callee + "(b) }";
    }
    expect_contains(refusal(with_functions(text)), "1000000 nodes accepted");
}

TEST(Functions, AFunctionDoesNotSeeTheGraphsValues) {
    const std::string text = refusal(with_functions(R"(agraph (float[2] x) => (float[2] y)
        <float[2] w = {1, 2}>
        { y = local.sum(x) }
        <domain: "local", opset_import: ["" : 18]>
        sum (a) => (c) { c = Add(a, w) })"));
    expect_contains(text, "'w', which is missing");
}

TEST(Functions, OperatorsThatONNXDefinesByABodyAreExpanded) {
    // No file of frontend/ops is named after it, and its body depends on the types of its operands.
    const Graph graph = load(R"(agraph (float[3,5] x) => (float y)
        <int64[3] target = {1, 0, 4}>
        { [loss] y = NegativeLogLikelihoodLoss(x, target) })",
                             13);
    ASSERT_GT(graph.nodes.size(), 3U);
    for (const Node &node : graph.nodes) {
        EXPECT_NE(node.operator_type, "NegativeLogLikelihoodLoss");
        EXPECT_EQ(node.name.rfind("loss/", 0), 0U) << node.name;
        EXPECT_EQ(node.index, 0);
    }
    EXPECT_EQ(graph.tensor(graph.outputs[0]).name, "y");
}

TEST(Functions, GroupNormalizationWithAScaleForEachGroupIsExpanded) {
    const Graph graph = load(R"(agraph (float[2,4,3,3] x) => (float[2,4,3,3] y)
        <float[2] scale = {1, 2}, float[2] bias = {3, 4}>
        { y = GroupNormalization <num_groups = 2> (x, scale, bias) })",
                             18);
    EXPECT_GT(graph.nodes.size(), 3U);
}

TEST(Branches, ThatAConstantConditionChoosesAreInlined) {
    // As PyTorch writes squeeze(1) for an axis that might not have the size 1.
    const Graph graph = load(R"(agraph (float[2,1,4] x) => (float[2,4] y)
        <int64[1] axis = {1}, int64 one = {1}>
        { s = Shape(x)
          n = Gather <axis = 0> (s, one)
          c = Equal(n, one)
          y = If (c) <then_branch = g1 () => (float[2,4] a) { a = Squeeze(x, axis) },
                      else_branch = g2 () => (float[2,1,4] b) { b = Identity(x) }> })");
    ASSERT_EQ(operators(graph), "Squeeze");
    EXPECT_EQ(graph.tensor(graph.outputs[0]).name, "y");
}

TEST(Branches, ThatDependOnTheInputAreRefused) {
    expect_contains(refusal(R"(agraph (bool c, float[2] x) => (float[2] y)
        { [choice] y = If (c) <then_branch = g1 () => (float[2] a) { a = Relu(x) },
                      else_branch = g2 () => (float[2] b) { b = Identity(x) }> })"),
                    "node 'choice' (#0, If): control flow is not supported");
}

}  // namespace
}  // namespace emulsion::test
