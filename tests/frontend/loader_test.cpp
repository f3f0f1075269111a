// What load_model makes of models that are right.
#include "frontend/onnx/loader.h"

#include <gtest/gtest.h>

#include <span>

#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

const char *const kConv = R"(agraph (float[1,2,8,8] x) => (float[1,3,6,6] y)
    <float[3,2,3,3] w = {1,2,3,4,5,6,7,8,9, 1,2,3,4,5,6,7,8,9, 1,2,3,4,5,6,7,8,9,
                         1,2,3,4,5,6,7,8,9, 1,2,3,4,5,6,7,8,9, 1,2,3,4,5,6,7,8,9}>
    { [first] t = Conv <strides = [1, 1]> (x, w)
      y = Clip(t) })";

TEST(Loader, TypesNamesAndShapesComeOut) {
    const Graph graph = load(kConv);
    ASSERT_EQ(operators(graph), "Conv Clip");
    EXPECT_EQ(graph.opset, kOpset);
    EXPECT_EQ(graph.nodes[0].name, "first");
    EXPECT_EQ(graph.nodes[1].name, "Clip_1");
    EXPECT_EQ(graph.nodes[1].index, 1);
    EXPECT_EQ(graph.nodes[0].integers("strides", {}), (std::vector<int64_t>{1, 1}));
    ASSERT_EQ(graph.inputs.size(), 1U);
    EXPECT_EQ(graph.tensor(graph.inputs[0]).name, "x");
    EXPECT_EQ(tensor(graph, "t").extents(), (std::vector<int64_t>{1, 3, 6, 6}));
    EXPECT_EQ(tensor(graph, "t").type, DataType::F32);
    const Tensor &weights = tensor(graph, "w");
    ASSERT_TRUE(weights.is_constant());
    EXPECT_EQ(weights.constant->as<float>()[10], 2.0F);
}

TEST(Loader, LargeWeightsKeepTheirBytesAliveAfterTheModelIsGone) {
    onnx::ModelProto proto = model(R"(agraph (float[1,1024] x) => (float[1,1024] y)
        { y = Add(x, w) })");
    onnx::TensorProto &weights = *proto.mutable_graph()->add_initializer();
    weights.set_name("w");
    weights.set_data_type(onnx::TensorProto::FLOAT);
    weights.add_dims(1024);
    std::vector<float> values(1024);
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i);
    }
    weights.set_raw_data(values.data(), values.size() * sizeof(float));
    const Graph graph = load(proto);
    const ConstantData data = *tensor(graph, "w").constant;
    ASSERT_EQ(data.size, 4096U);
    for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(data.as<float>()[i], values[i]);
    }
    EXPECT_EQ(graph.inputs.size(), 1U);
}

TEST(Loader, AnInputThatHasAnInitializerIsAConstant) {
    const Graph graph = load(R"(agraph (float[2] x, float[2] w) => (float[2] y)
        <float[2] w = {1, 2}> { y = Add(x, w) })");
    EXPECT_EQ(graph.inputs.size(), 1U);
    EXPECT_TRUE(tensor(graph, "w").is_constant());
}

TEST(Loader, ConstantNodesAreConstants) {
    const Graph graph = load(R"(agraph (float[2] x) => (float[2] y)
        { a = Constant <value_floats = [3.0, 4.0]> ()
          b = Constant <value = float[2] {5, 6}> ()
          t = Add(x, a)
          y = Add(t, b) })");
    ASSERT_EQ(operators(graph), "Add Add");
    EXPECT_EQ(tensor(graph, "a").constant->as<float>()[1], 4.0F);
    EXPECT_EQ(tensor(graph, "b").constant->as<float>()[1], 6.0F);
    EXPECT_EQ(graph.nodes[1].index, 3);
}

TEST(Loader, AConstantThatIsAnOutputIsHandedOutByAnIdentity) {
    const Graph graph = load(R"(agraph (float[2] x) => (float[2] y, float[1] c)
        { c = Constant <value_floats = [3.0]> ()
          y = Relu(x) })");
    EXPECT_EQ(operators(graph), "Relu Identity");
    EXPECT_EQ(graph.tensor(graph.outputs[1]).name, "c");
}

TEST(Loader, ValuesOfConstantsReachShapeInference) {
    const Graph graph = load(R"(agraph (float[2,3,4] x) => (float[a,b] y)
        <int64[2] shape = {2, -1}> { y = Reshape(x, shape) })");
    EXPECT_EQ(tensor(graph, "y").extents(), (std::vector<int64_t>{2, 12}));
}

TEST(Loader, NewerModelsWithTheSameOperatorsAreAccepted) {
    for (int opset = kOpset + 1; opset <= 25; ++opset) {
        const Graph graph = load(kConv, opset);
        EXPECT_EQ(graph.opset, kOpset);
        EXPECT_EQ(
            operators(load("agraph (float[2,3] x) => (float[2,3] y) { y = Flatten(x) }", opset)),
            "Flatten");
    }
}

TEST(Loader, BooleansAreZeroOrOne) {
    onnx::ModelProto proto = model(R"(agraph (bool[2] x) => (bool[2] y) { y = And(x, w) })");
    onnx::TensorProto &weights = *proto.mutable_graph()->add_initializer();
    weights.set_name("w");
    weights.set_data_type(onnx::TensorProto::BOOL);
    weights.add_dims(2);
    weights.set_raw_data(std::string("\x07\x00", 2));
    const Graph graph = load(proto);
    EXPECT_EQ(tensor(graph, "w").constant->as<uint8_t>()[0], 1);
    EXPECT_EQ(tensor(graph, "w").constant->as<uint8_t>()[1], 0);
}

TEST(Loader, AModelInMemoryIsReadAsAFileIs) {
    const std::string bytes = model(kConv).SerializeAsString();
    const Graph graph =
        import_model({.name = "memory", .bytes = std::as_bytes(std::span(bytes)), .folder = ""})
            .graph;
    EXPECT_EQ(operators(graph), "Conv Clip");
    for (const std::string &damaged : {std::string(), bytes.substr(0, bytes.size() / 2)}) {
        EXPECT_THROW(
            import_model(
                {.name = "memory", .bytes = std::as_bytes(std::span(damaged)), .folder = ""}),
            Error);
    }
}

}  // namespace
}  // namespace emulsion::test
