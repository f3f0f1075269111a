// Everything that loading refuses of a model, in one list.
#include "frontend/graph/support_report.h"

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include <stdexcept>
#include <vector>

#include "frontend/onnx/loader.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

ImportedModel import(const onnx::ModelProto &proto, const InputShapes &shapes = {}) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_file(path, proto.SerializeAsString());
    return import_model(path, LoadLimits(), shapes);
}

ImportedModel import(const std::string &graph, int opset = 22) {
    return import(model(graph, opset));
}

onnx::ModelProto with_functions(const std::string &graph_and_functions) {
    onnx::ModelProto result;
    const auto status = onnx::OnnxParser::Parse(
        result,
        "<ir_version: 10, opset_import: [\"\" : 18, \"local\" : 1]>\n" + graph_and_functions);
    if (!status.IsOK()) {
        throw std::runtime_error("bad model in a test: " + status.ErrorMessage());
    }
    return result;
}

// "conv#3 pool#5": the nodes that are refused, in the order of the list.
std::string refused_nodes(const SupportReport &report) {
    std::string list;
    for (const UnsupportedPart &refusal : report.refusals()) {
        list += (list.empty() ? "" : " ") + refusal.place.node + "#" +
                std::to_string(refusal.place.node_index);
        EXPECT_FALSE(refusal.reason.empty());
        EXPECT_FALSE(what_to_do(refusal).empty());
        EXPECT_TRUE(refusal.place.file.empty());
    }
    return list;
}

void expect_counts(const SupportReport &report, int64_t supported, int64_t refused,
                   int64_t unjudged) {
    EXPECT_EQ(report.nodes_that_are(Verdict::Supported), supported);
    EXPECT_EQ(report.nodes_that_are(Verdict::Refused), refused);
    EXPECT_EQ(report.nodes_that_are(Verdict::NotJudged), unjudged);
    EXPECT_EQ(report.nodes(), supported + refused + unjudged);
}

TEST(SupportReport, OfASupportedModelIsClean) {
    const ImportedModel loaded = import(R"(agraph (float[2] x) => (float[2] y)
        { t = Relu(x)
          y = Add(t, x) })");
    EXPECT_TRUE(loaded.report->clean());
    expect_counts(*loaded.report, 2, 0, 0);
    EXPECT_EQ(operators(loaded.graph), "Relu Add");
}

TEST(SupportReport, ListsAllRefusedNodesAndLeavesOpenWhatDependsOnThem) {
    const ImportedModel loaded = import(R"(agraph (float[2,4] x) => (float[2,4] y, z)
        { [first] a = Foo(x)
          [after] b = Relu(a)
          [last_after] c = Add(b, x)
          [second] d = NonZero(x)
          [third] e = Bar(x)
          [fine] f = Relu(x)
          [joined] y = Add(f, e)
          z = Sigmoid(f) })");
    EXPECT_EQ(refused_nodes(*loaded.report), "first#0 third#4 second#3");
    expect_counts(*loaded.report, 2, 3, 3);
    expect_contains(loaded.report->headline(), "3 refusals in 3 of 8 nodes; 3 nodes depend");
    EXPECT_EQ(loaded.report->by_operator().at("NonZero"), 1);
    EXPECT_EQ(operators(loaded.graph), "Relu Sigmoid") << "what can be looked at further";
}

TEST(SupportReport, NamesOperatorsThatEmulsionLacksAmongDependents) {
    const ImportedModel loaded = import(R"(agraph (float[2,4] x) => (y)
        { [unknown] a = Foo(x)
          [relu] b = Relu(a)
          [lacking] c = RoiAlign(a, a, a)
          [upgraded] d = Upsample(b, b)
          [known] e = Softsign(b)
          y = Add(d, e) })",
                                        16);
    EXPECT_EQ(refused_nodes(*loaded.report), "unknown#0 upgraded#3 lacking#2");
    expect_counts(*loaded.report, 0, 3, 3);
}

TEST(SupportReport, AnOperatorOfAnOlderOpsetIsKnownByItsPresentName) {
    const ImportedModel loaded = import(R"(agraph (float[1,1,2,2] x, float[4] s) => (y)
        { [unknown] a = Foo(x)
          [upgraded] y = Upsample(a, s) })",
                                        9);
    EXPECT_EQ(refused_nodes(*loaded.report), "unknown#0");
    expect_counts(*loaded.report, 0, 1, 1);
}

TEST(SupportReport, WhatRefusedNodesReadStaysInTheGraph) {
    const ImportedModel loaded = import(R"(agraph (float[2,4] x) => (y)
        { t = Relu(x)
          y = Foo(t, x) })");
    EXPECT_EQ(operators(loaded.graph), "Relu");
    ASSERT_EQ(loaded.graph.outputs.size(), 1U);
    EXPECT_EQ(loaded.graph.tensor(loaded.graph.outputs[0]).name, "t");
}

TEST(SupportReport, ListsInputsWeightsAndNodesTogether) {
    onnx::ModelProto proto = model(R"(agraph (float16[2] x, float[2] z, float[N] open) => (y)
        { [a] t = Add(x, half)
          [b] u = Foo(z)
          [c] v = Relu(open)
          [d] y = Relu(z) })");
    onnx::TensorProto &half = *proto.mutable_graph()->add_initializer();
    half.set_name("half");
    half.set_data_type(onnx::TensorProto::FLOAT16);
    half.add_dims(2);
    half.set_raw_data("\0\0\0\0", 4);
    const ImportedModel loaded = import(proto);
    std::string reasons;
    for (const UnsupportedPart &refusal : loaded.report->refusals()) {
        reasons += refusal.reason + "\n";
    }
    expect_contains(reasons, "initializer 'half' has elements of type FLOAT16");
    expect_contains(reasons, "graph input 'x' has elements of type FLOAT16");
    expect_contains(reasons, "input 'open' has no fixed shape");
    expect_contains(reasons, "ONNX has no operator 'Foo'");
    EXPECT_EQ(loaded.report->count(), 4) << reasons;
    EXPECT_EQ(loaded.report->by_operator().at(""), 3);
    expect_counts(*loaded.report, 1, 1, 2);
    EXPECT_EQ(import(proto, {{"N", {3}}}).report->count(), 3);
}

TEST(SupportReport, AFunctionsNodeIsListedOnceAndItsCallsAreRefused) {
    const ImportedModel loaded = import(with_functions(R"(agraph (float[2] x) => (y, z)
        { [one] a = local.f(x)
          [two] b = local.f(a)
          [fine] y = Relu(x)
          [after] z = Relu(b) }
        <domain: "local", opset_import: ["" : 18]>
        f (p) => (q)
        { [good] r = Relu(p)
          [bad] q = Foo(r) })"));
    EXPECT_EQ(refused_nodes(*loaded.report), "bad#1");
    expect_contains(loaded.report->refusals()[0].reason, "in function 'f'");
    expect_counts(*loaded.report, 1, 1, 2);
    EXPECT_EQ(operators(loaded.graph), "Relu Relu");
}

TEST(SupportReport, NodesOfCallsAndBranchesAreNamedByTheirWay) {
    const ImportedModel loaded = import(with_functions(R"(agraph (float[2] x) => (y, z)
        <bool c = {1}>
        { [call] y = local.f(x)
          [choice] z = If (c) <then_branch = g1 () => (float[2] a) { [inner] a = Foo(x) },
                              else_branch = g2 () => (float[2] b) { b = Identity(x) }> }
        <domain: "local", opset_import: ["" : 18]>
        f (p) => (q)
        { [wrong] q = Reshape(p, p) })"));
    EXPECT_EQ(refused_nodes(*loaded.report), "choice/inner#1 call/wrong#0");
    expect_counts(*loaded.report, 0, 2, 0);
}

TEST(SupportReport, EveryComplaintOfTheCheckerIsListed) {
    const ImportedModel loaded = import(R"(agraph (float[2] x) => (y)
        { [a] t = Relu<alpha = 1.0>(x)
          [b] u = Add(x)
          [c] v = Foo(x)
          [d] y = Relu(x) })");
    EXPECT_EQ(refused_nodes(*loaded.report), "c#2 a#0 b#1");
    expect_contains(loaded.report->refusals()[1].reason, "it breaks the ONNX standard");
}

TEST(SupportReport, ALoopAndWhatIsInItAreOneRefusal) {
    const ImportedModel loaded = import(R"(agraph (float[2] x, int64 n, bool c) => (y)
        { [loop] y = Loop(n, c, x) <body = g (int64 i, bool k, float[2] s) => (bool k2, float[2] s2)
                                  { k2 = Identity(k)
                                    s2 = Foo(s) }>
          [fine] z = Relu(x) })");
    EXPECT_EQ(refused_nodes(*loaded.report), "loop#0");
    expect_contains(what_to_do(loaded.report->refusals()[0]), "unrolled");
    expect_counts(*loaded.report, 1, 1, 0);
}

TEST(SupportReport, OneRefusalIsTheErrorItself) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_file(path, model("agraph (float[2] x) => (y) { [bad] y = Foo(x) }").SerializeAsString());
    try {
        load_model(path);
        FAIL() << "it was loaded";
    } catch (const UnsupportedModel &error) {
        EXPECT_EQ(error.place().node, "bad");
        EXPECT_EQ(error.place().file, path);
        expect_contains(error.what(), path + ": node 'bad' (#0, Foo): ONNX has no operator 'Foo'");
        expect_contains(error.what(), error.remedy());
        EXPECT_EQ(error.report().count(), 1);
    }
}

TEST(SupportReport, SeveralRefusalsAreOneShortSentence) {
    std::string nodes;
    for (int i = 0; i < 50; ++i) {
        nodes += "[node_" + std::to_string(i) + "] y" + std::to_string(i) + " = Foo(x)\n";
    }
    const std::string text = refusal("agraph (float[2] x) => (y0) { " + nodes + " }");
    expect_contains(text, "50 refusals in 50 of 50 nodes");
    expect_contains(text, "node 'node_0' (#0, Foo)");
    expect_contains(text, "and 46 more");
    EXPECT_LT(text.size(), 1000U);
}

TEST(SupportReport, DamageIsTheLastOfTheList) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_file(path, model("agraph (float[2] x) => (y) { [bad] t = Foo(x)\n y = Relu(missing) }")
                         .SerializeAsString());
    try {
        import_model(path);
        FAIL() << "it was loaded";
    } catch (const UnsupportedModel &error) {
        EXPECT_EQ(error.report().count(), 2);
        expect_contains(error.what(), "'missing', which is missing");
        expect_contains(error.what(), "Foo");
    }
}

TEST(SupportReport, AFailureIsNoRefusalAndGoesOn) {
    SupportReport report("model.onnx");
    EXPECT_THROW(report.refuse(failure("no memory")), Error);
    EXPECT_TRUE(report.clean());
}

TEST(SlowSupportReport, AMillionRefusalsAreCountedAndAThousandKept) {
    constexpr int kMillion = 1'000'000;
    onnx::ModelProto proto = model("agraph (float[2] x) => (y) { y = Relu(x) }");
    onnx::GraphProto &graph = *proto.mutable_graph();
    graph.mutable_node()->Clear();
    std::string last = "x";
    for (int i = 0; i < kMillion; ++i) {
        onnx::NodeProto &node = *graph.add_node();
        node.set_op_type(i % 2 == 0 ? "Foo" : "NonZero");
        node.add_input(last);
        last = i + 1 == kMillion ? "y" : "t" + std::to_string(i);
        node.add_output(last);
    }
    const ImportedModel loaded = import(proto);
    EXPECT_EQ(loaded.report->count(), kMillion);
    EXPECT_EQ(loaded.report->refusals().size(), SupportReport::kMostKept);
    expect_counts(*loaded.report, 0, kMillion, 0);
}

}  // namespace
}  // namespace emulsion::test
