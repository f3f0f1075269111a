// Forms of graphs that exporters and people write: unusual, and right.
#include <gtest/gtest.h>

#include "frontend/onnx/loader.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

TEST(GraphForms, AnInputHandedOutUnchangedGoesThroughAnIdentity) {
    const Graph graph = load("agraph (float[2] x) => (float[2] y, float[2] x) { y = Relu(x) }");
    EXPECT_EQ(operators(graph), "Relu Identity");
    EXPECT_EQ(graph.nodes[1].inputs[0], graph.inputs[0]);
    EXPECT_EQ(graph.tensor(graph.inputs[0]).name, "x");
}

TEST(GraphForms, AnInitializerHandedOutUnchangedGoesThroughAnIdentity) {
    const Graph graph = load(
        "agraph (float[2] x) => (float[2] y, float[2] w) <float[2] w = {1, 2}> { y = Add(x, w) }");
    EXPECT_EQ(operators(graph), "Add Identity");
    EXPECT_EQ(graph.tensor(graph.outputs[1]).name, "w");
    EXPECT_FALSE(graph.tensor(graph.outputs[1]).is_constant());
}

TEST(GraphForms, AValueComputedFromConstantsMayBeAnOutput) {
    const Graph graph =
        load("agraph (float[2,3] x) => (float[2,3] y, int64[2] s) { y = Relu(x) s = Shape(x) }");
    EXPECT_EQ(operators(graph), "Relu Identity");
    EXPECT_EQ(graph.tensor(graph.outputs[1]).name, "s");
    const Tensor &value = graph.tensor(graph.nodes[1].inputs[0]);
    EXPECT_EQ(value.constant->as<int64_t>()[1], 3);
}

TEST(GraphForms, OutputsMayBeReadAndCopied) {
    const Graph graph = load(R"(agraph (float[2] x) => (float[2] y, float[2] z, float[2] u)
        { y = Relu(x)  z = Identity(y)  u = Add(y, z) })");
    EXPECT_EQ(operators(graph), "Relu Identity Add");
    EXPECT_EQ(graph.outputs.size(), 3U);
}

TEST(GraphForms, SharedWeightsBehindIdentitiesAreOneTensor) {
    // The TorchScript exporter writes an Identity for every further use of a parameter.
    const Graph graph = load(R"(agraph (float[1,2,3] x) => (float[1,2,3] y)
        <float[2,1] w = {1, 2}>
        { v = Identity(w)
          u = Identity(v)
          t = Mul(x, w)
          y = Mul(t, u) })");
    ASSERT_EQ(operators(graph), "Mul Mul");
    EXPECT_EQ(graph.nodes[0].inputs[1], graph.nodes[1].inputs[1]);
}

TEST(GraphForms, AValueWithoutElementsAddsNothing) {
    const Graph graph = load(R"(agraph (float[1,4] x) => (float[1,4] y)
        <int64[2] parts = {4, 0}>
        { a, b = Split <axis = 1> (x, parts)
          c = Neg(b)
          y = Concat <axis = 1> (a, c) })");
    EXPECT_EQ(operators(graph), "Split Concat");
    EXPECT_EQ(graph.nodes[1].inputs.size(), 1U);
}

TEST(GraphForms, UnusedInputsStayInputs) {
    const Graph graph =
        load("agraph (float[2] x, float[3] unused) => (float[2] y) { y = Relu(x) }");
    EXPECT_EQ(graph.inputs.size(), 2U);
}

TEST(GraphForms, TheDefaultDomainMayBeSpelledOut) {
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    proto.mutable_graph()->mutable_node(0)->set_domain("ai.onnx");
    proto.mutable_opset_import(0)->set_domain("ai.onnx");
    EXPECT_EQ(operators(load(proto)), "Relu");
}

TEST(GraphForms, TextForPeopleIsIgnored) {
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    proto.set_doc_string("a\nmodel");
    auto &metadata = *proto.add_metadata_props();
    metadata.set_key("author");
    metadata.set_value("x");
    proto.mutable_graph()->set_doc_string("graph");
    proto.mutable_graph()->mutable_node(0)->set_doc_string("17 lines of a stack\ntrace");
    proto.mutable_graph()->mutable_input(0)->set_doc_string("input");
    EXPECT_EQ(load(proto).nodes[0].index, 0);
}

TEST(GraphForms, InitializersOfOldFilesAreInputsToo) {
    onnx::ModelProto proto = model(R"(agraph (float[2] x, float[2] w) => (float[2] y)
        <float[2] w = {1, 2}> { y = Add(x, w) })",
                                   8);
    proto.set_ir_version(3);
    EXPECT_EQ(load(proto).inputs.size(), 1U);
}

TEST(GraphForms, ConstantsOfEveryNumericFormAreRead) {
    const Graph graph = load(R"(agraph (float[2] x) => (float[2] y)
        { a = Constant <value_float = 2.0> ()
          b = Constant <value_floats = [3.0, 4.0]> ()
          i = Constant <value_ints = [2]> ()
          j = Constant <value_int = 0> ()
          t = Add(x, a)
          u = Add(t, b)
          v = Reshape <allowzero = 0> (u, i)
          y = Identity(v) })");
    EXPECT_EQ(tensor(graph, "a").rank(), 0);
    EXPECT_EQ(tensor(graph, "b").constant->as<float>()[1], 4.0F);
}

TEST(GraphForms, ConstantsThatAreNoNumbersAreRefused) {
    expect_contains(refusal(R"(agraph (float[2] x) => (float[2] y)
        { [text] a = Constant <value_string = "abc"> ()  y = Relu(x) })"),
                    "node 'text' (#0, Constant)");
}

TEST(GraphForms, OptionalResultsMayBeLeftOut) {
    EXPECT_EQ(operators(load(R"(agraph (float[1,1,4,4] x) => (float[1,1,3,3] y)
        { y, unread = MaxPool <kernel_shape = [2, 2]> (x) })")),
              "MaxPool");
}

TEST(GraphForms, ElementTypesThatAreNotSupportedAreNamedWithTheirTensor) {
    for (const std::string type : {"float16", "bfloat16", "string", "complex64"}) {
        onnx::ModelProto proto =
            model("agraph (" + type + "[2] x) => (" + type + "[2] y) { y = Identity(x) }");
        const std::string text = refusal(proto);
        expect_contains(text, "'x'");
        expect_contains(text, "has elements of type");
    }
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Add(x, w) }");
    onnx::TensorProto &weights = *proto.mutable_graph()->add_initializer();
    weights.set_name("w");
    weights.set_data_type(onnx::TensorProto::INT4);
    weights.add_dims(2);
    weights.set_raw_data(std::string(1, '\0'));
    expect_contains(refusal(proto), "initializer 'w' has elements of type INT4");
}

}  // namespace
}  // namespace emulsion::test
