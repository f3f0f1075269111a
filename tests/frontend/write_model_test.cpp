// Graphs as models again: what is written is read as the same graph.
#include "frontend/onnx/write_model.h"

#include <gtest/gtest.h>

#include "frontend/graph/pass.h"
#include "frontend/zoo/zoo.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

std::string joined(const std::vector<std::string_view> &parts) {
    std::string bytes;
    for (const std::string_view part : parts) {
        bytes += part;
    }
    return bytes;
}

std::vector<Metadata> numbered(const Graph &graph) {
    std::vector<Metadata> metadata;
    for (size_t i = 0; i < graph.nodes.size(); i++) {
        metadata.push_back({{"place", std::to_string(i)}});
    }
    return metadata;
}

onnx::ModelProto written(const Graph &graph) {
    const SerializedModel model =
        serialize_model(graph, numbered(graph), {{"of", "the model"}}, "");
    EXPECT_TRUE(model.data.empty());
    onnx::ModelProto proto;
    EXPECT_TRUE(proto.ParseFromString(joined(model.model)));
    return proto;
}

// `a`: read from what was written of `b`.
void expect_equal(const Graph &a, const Graph &b) {
    const auto name = [](const Graph &graph, TensorId id) {
        return id == kNoTensor ? "" : graph.tensor(id).name;
    };
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (size_t i = 0; i < a.nodes.size(); i++) {
        const Node &x = a.nodes[i], &y = b.nodes[i];
        EXPECT_EQ(x.name.rfind(y.name, 0), 0U) << x.name;  // perhaps with a number behind it
        EXPECT_EQ(x.operator_type, y.operator_type);
        EXPECT_EQ(x.attributes, y.attributes) << x.name;
        EXPECT_EQ(name(a, x.result()), name(b, y.result()));
        EXPECT_EQ(x.result_index(), y.result_index());
        ASSERT_EQ(x.inputs.size(), y.inputs.size()) << x.name;
        for (size_t k = 0; k < x.inputs.size(); k++) {
            EXPECT_EQ(name(a, x.inputs[k]), name(b, y.inputs[k])) << x.name;
            if (x.inputs[k] == kNoTensor) {
                continue;
            }
            const Tensor &from = a.tensor(x.inputs[k]), &to = b.tensor(y.inputs[k]);
            EXPECT_EQ(from.type, to.type);
            EXPECT_EQ(from.shape, to.shape);
            ASSERT_EQ(from.is_constant(), to.is_constant()) << from.name;
            if (from.is_constant()) {
                ASSERT_EQ(from.constant->size, to.constant->size);
                EXPECT_TRUE(std::equal(from.constant->bytes,
                                       from.constant->bytes + from.constant->size,
                                       to.constant->bytes));
            }
        }
    }
    ASSERT_EQ(a.inputs.size(), b.inputs.size());
    ASSERT_EQ(a.outputs.size(), b.outputs.size());
    for (size_t i = 0; i < a.outputs.size(); i++) {
        EXPECT_EQ(name(a, a.outputs[i]), name(b, b.outputs[i]));
    }
}

TEST(WriteModel, WhatIsWrittenIsReadAsTheSameGraph) {
    for (
        const char *text : {
            "agraph (float[2,3] x) => (float[2,3] y) { y = LeakyRelu <alpha = 0.25> (x) }",
            "agraph (float[1,2,6,6] x, float[4,2,3,3] w) => (float[1,4,3,3] y) {\n"
            "  y = Conv <pads = [1,1,1,1], strides = [2,2], auto_pad = \"NOTSET\"> (x, w) }",
            "agraph (float[4,6] x) => (float[4,3] b) { a, b = Split <axis = 1, num_outputs = 2> (x) }",
            "agraph (float[4,6] x) => (float[4,3] a, float[4,3] b) {\n"
            "  a, b = Split <axis = 1, num_outputs = 2> (x) }",
            "agraph (float[2,3] x) => (float[2,3] y) <float limit = {2.5}> { y = Clip (x, , limit) }",
            "agraph (bool[2] c, int8[2] x, int8[2] z) => (int8[2] y) { y = Where (c, x, z) }",
            "agraph (float x) => (float y) { y = Exp (x) }",
            "agraph (float[2,3] x) => (double[2,3] y) { y = Cast <to = 11> (x) }",
        }) {
        SCOPED_TRACE(text);
        const Graph graph = load(text);
        expect_equal(load(written(graph)), graph);
    }
}

TEST(WriteModel, APlannedGraphIsReadAsItIsAfterThePasses) {
    const TemporaryFolder folder;
    for (const char *name : {"tiny_residual", "tiny_attention", "tiny_squeeze_excite"}) {
        write_zoo_model(name, folder.file("zoo.onnx"));
        const Graph graph = run_passes(load_model(folder.file("zoo.onnx")));
        expect_equal(load(written(graph)), graph);
    }
}

TEST(WriteModel, NoTwoNodesHaveOneName) {
    const Graph graph = load("agraph (float[4,6] x) => (float[4,3] a, float[4,3] b) {\n"
                             "  a, b = Split <axis = 1, num_outputs = 2> (x) }");
    ASSERT_EQ(graph.nodes.at(0).name, graph.nodes.at(1).name);
    const onnx::ModelProto proto = written(graph);
    EXPECT_EQ(proto.graph().node(0).name(), graph.nodes[0].name);
    EXPECT_NE(proto.graph().node(0).name(), proto.graph().node(1).name());
}

TEST(WriteModel, NodesAndModelHaveTheirMetadata) {
    const Graph graph = load("agraph (float[2] x) => (float[2] y) { z = Exp (x)  y = Relu (z) }");
    const onnx::ModelProto proto = written(graph);
    for (int i = 0; i < proto.graph().node_size(); i++) {
        ASSERT_EQ(proto.graph().node(i).metadata_props_size(), 1);
        EXPECT_EQ(proto.graph().node(i).metadata_props(0).key(), "place");
        EXPECT_EQ(proto.graph().node(i).metadata_props(0).value(), std::to_string(i));
    }
    ASSERT_EQ(proto.metadata_props_size(), 1);
    EXPECT_EQ(proto.metadata_props(0).value(), "the model");
}

TEST(WriteModel, AnOperatorThatIsNewerThanTheOthersRaisesTheOpset) {
    const Graph old = load("agraph (float[2,4] x) => (float[2,4] y) { y = Relu (x) }");
    EXPECT_EQ(written(old).opset_import(0).version(), kOpset);
    const Graph graph = load("agraph (float[2,4] x) => (float[2,4] y)\n"
                             "<float[4] scale = {1.0, 2.0, 3.0, 4.0}> {\n"
                             "  z = Relu (x)  y = RMSNormalization (z, scale) }",
                             23);
    const onnx::ModelProto proto = written(graph);
    EXPECT_EQ(proto.opset_import(0).version(), 23);
    expect_equal(load(proto), graph);
}

TEST(WriteModel, AnOperatorThatOnnxDoesNotHaveIsRefusedByName) {
    Graph graph = load("agraph (float[2] x) => (float[2] y) { y = Relu (x) }");
    graph.nodes[0].attributes["slope"] = 0.5;
    try {
        written(graph);
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ(error.place().node, graph.nodes[0].name);
        EXPECT_EQ(error.place().operator_type, "Relu");
    }
}

TEST(WriteModel, WeightsThatAreTooManyGoToAFileOfTheirOwn) {
    const TemporaryFolder folder;
    write_zoo_model("tiny_residual", folder.file("zoo.onnx"));
    const Graph graph = run_passes(load_model(folder.file("zoo.onnx")));
    const SerializedModel model =
        serialize_model(graph, numbered(graph), {}, "model.onnx.data", 10'000);
    ASSERT_FALSE(model.data.empty());
    write_file(folder.file("model.onnx"), joined(model.model));
    write_file(folder.file("model.onnx.data"), joined(model.data));
    EXPECT_GT(joined(model.data).size(), 2 * joined(model.model).size());
    expect_equal(load_model(folder.file("model.onnx")), graph);
}

}  // namespace
}  // namespace emulsion::test
