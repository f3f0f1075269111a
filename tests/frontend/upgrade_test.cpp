// Models of opsets 7 to 24: what the loader makes of operators whose form or meaning changed.
#include <gtest/gtest.h>

#include "frontend/onnx/loader.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

using UpgradedExtents = std::vector<int64_t>;

UpgradedExtents integers(const Graph &graph, const Node &node, size_t input) {
    const Tensor &tensor = graph.tensor(node.inputs.at(input));
    const auto *values = tensor.constant->as<int64_t>();
    return {values, values + tensor.element_count()};
}

float real(const Graph &graph, const Node &node, size_t input) {
    return *graph.tensor(node.inputs.at(input)).constant->as<float>();
}

TEST(Upgrade, AxesBecomeAnOperand) {
    struct Case {
        const char *type;
        int last_opset;
    };
    for (const Case &c : {Case{"ReduceMean", 17}, {"ReduceMax", 17}, {"ReduceSum", 12}}) {
        for (const int opset : {7, 11, c.last_opset}) {
            const Graph graph =
                load("agraph (float[1,4,5,5] x) => (float[1,4] y) { y = " + std::string(c.type) +
                         " <axes = [2, 3], keepdims = 0> (x) }",
                     opset);
            ASSERT_EQ(operators(graph), c.type);
            EXPECT_EQ(integers(graph, graph.nodes[0], 1), (UpgradedExtents{2, 3}));
            EXPECT_FALSE(graph.nodes[0].has("axes"));
            EXPECT_EQ(graph.nodes[0].integer("keepdims", 1), 0);
        }
    }
    const Graph graph = load(R"(agraph (float[2,1,3] x) => (float[1,2,3] y)
        { t = Squeeze <axes = [1]> (x)  y = Unsqueeze <axes = [0]> (t) })",
                             11);
    EXPECT_EQ(integers(graph, graph.nodes[0], 1), (UpgradedExtents{1}));
    EXPECT_EQ(integers(graph, graph.nodes[1], 1), (UpgradedExtents{0}));
}

TEST(Upgrade, ClipsLimitsBecomeOperands) {
    const Graph graph = load(
        "agraph (float[2] x) => (float[2] y) { t = Clip <min = 0.5> (x)  y = Clip <max = 6.0> (t) }",
        7);
    EXPECT_EQ(real(graph, graph.nodes[0], 1), 0.5F);
    EXPECT_EQ(graph.nodes[1].inputs[1], kNoTensor);
    EXPECT_EQ(real(graph, graph.nodes[1], 2), 6.0F);
}

TEST(Upgrade, PadsSlicesAndSplitsAttributesBecomeOperands) {
    const Graph pad = load(R"(agraph (float[2,3] x) => (float[2,6] y)
        { y = Pad <mode = "constant", pads = [0, 1, 0, 2], value = 1.5> (x) })",
                           9);
    EXPECT_EQ(integers(pad, pad.nodes[0], 1), (UpgradedExtents{0, 1, 0, 2}));
    EXPECT_EQ(real(pad, pad.nodes[0], 2), 1.5F);
    const Graph slice = load(R"(agraph (float[4,6] x) => (float[2,6] y)
        { y = Slice <starts = [1], ends = [3], axes = [0]> (x) })",
                             9);
    EXPECT_EQ(integers(slice, slice.nodes[0], 1), (UpgradedExtents{1}));
    EXPECT_EQ(integers(slice, slice.nodes[0], 2), (UpgradedExtents{3}));
    EXPECT_EQ(integers(slice, slice.nodes[0], 3), (UpgradedExtents{0}));
    const Graph split = load(R"(agraph (float[6] x) => (float[2] y, float[4] z)
        { y, z = Split <split = [2, 4]> (x) })",
                             11);
    EXPECT_EQ(integers(split, split.nodes[0], 1), (UpgradedExtents{2, 4}));
    const Graph equal =
        load("agraph (float[6] x) => (float[3] y, float[3] z) { y, z = Split(x) }", 13);
    EXPECT_EQ(equal.nodes[0].integer("num_outputs", 0), 2);
}

TEST(Upgrade, SoftmaxOfOpset12WorksOnAFlattenedTensor) {
    const Graph graph =
        load("agraph (float[2,3,4] x) => (float[2,3,4] y) { [s] y = Softmax <axis = 1> (x) }", 11);
    ASSERT_EQ(operators(graph), "Flatten Softmax Reshape");
    EXPECT_EQ(graph.tensor(graph.nodes[1].result()).extents(), (UpgradedExtents{2, 12}));
    EXPECT_EQ(graph.nodes[1].integer("axis", 0), -1);
    EXPECT_EQ(graph.tensor(graph.outputs[0]).name, "y");
    EXPECT_EQ(operators(load("agraph (float[2,3] x) => (float[2,3] y) { y = Softmax(x) }", 7)),
              "Softmax")
        << "the last axis alone is not flattened";
    EXPECT_EQ(
        operators(
            load("agraph (float[2,3,4] x) => (float[2,3,4] y) { y = Softmax <axis = 1> (x) }", 13)),
        "Softmax");
}

TEST(Upgrade, UpsampleAndOldResizeKeepTheirCoordinates) {
    for (const int opset : {7, 9, 10}) {
        const Graph graph =
            opset == 7
                ? load(R"(agraph (float[1,1,2,2] x) => (float[1,1,4,4] y)
                { y = Upsample <mode = "nearest", scales = [1.0, 1.0, 2.0, 2.0]> (x) })",
                       opset)
                : load(std::string(R"(agraph (float[1,1,2,2] x) => (float[1,1,4,4] y)
                <float[4] s = {1.0, 1.0, 2.0, 2.0}> { y = )") +
                           (opset == 9 ? "Upsample" : "Resize") + " <mode = \"nearest\"> (x, s) }",
                       opset);
        ASSERT_EQ(operators(graph), "Resize") << opset;
        const Node &node = graph.nodes[0];
        EXPECT_EQ(node.text("coordinate_transformation_mode", ""), "asymmetric");
        EXPECT_EQ(node.text("nearest_mode", ""), "floor");
        EXPECT_EQ(node.inputs[1], kNoTensor);
        EXPECT_EQ(graph.tensor(node.inputs[2]).constant->as<float>()[3], 2.0F);
    }
    expect_contains(refusal(R"(agraph (float[1,1,2,4] x) => (float[1,1,4,2] y)
        <float[4] s = {1.0, 1.0, 2.0, 0.5}> { y = Resize <mode = "nearest"> (x, s) })",
                            10),
                    "export with opset 11");
}

TEST(Upgrade, TrainingFormsAreRefused) {
    const std::string graph = R"(agraph (float[1,2,3] x) => (float[1,2,3] y)
        <float[2] s = {1, 2}, float[2] b = {1, 2}, float[2] m = {1, 2}, float[2] v = {1, 2}>)";
    expect_contains(refusal(graph + "{ y, a, c, d, e = BatchNormalization(x, s, b, m, v) }", 9),
                    "training");
    expect_contains(refusal(graph + "{ y = BatchNormalization <spatial = 0> (x, s, b, m, v) }", 7),
                    "spatial");
    EXPECT_EQ(
        operators(load(graph + "{ y = BatchNormalization <spatial = 1> (x, s, b, m, v) }", 7)),
        "BatchNormalization");
    EXPECT_EQ(
        operators(load("agraph (float[2] x) => (float[2] y) { y = Dropout <ratio = 0.3> (x) }", 7)),
        "Dropout");
}

TEST(Upgrade, WhatNewerOpsetsAddedIsRefusedUnlessItSaysNothing) {
    EXPECT_EQ(operators(load(R"(agraph (float[2] x) => (double[2] y)
        { y = Cast <to = 11, round_mode = "up"> (x) })",
                             25)),
              "Cast");
    expect_contains(refusal(R"(agraph (float[2] x) => (double[2] y)
        { y = Cast <to = 11, round_mode = "down"> (x) })",
                            25),
                    "'round_mode'");
}

TEST(Upgrade, EveryOpsetFrom7To24Loads) {
    for (int opset = 7; opset <= 24; ++opset) {
        const Graph graph = load(R"(agraph (float[1,2,4,4] x) => (float[1,3] y)
            <float[3,2,1,1] w = {1,2,3,4,5,6}, float[3,3] m = {1,2,3,4,5,6,7,8,9}, float[3] b = {1,2,3}>
            { c = Conv(x, w)
              p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (c)
              a = AveragePool <kernel_shape = [2, 2]> (p)
              f = Flatten(a)
              g = Gemm(f, m, b)
              s = Add(g, b)
              y = Softmax(s) })",
                                 opset);
        EXPECT_EQ(operators(graph), "Conv MaxPool AveragePool Flatten Gemm Add Softmax") << opset;
    }
}

TEST(Upgrade, OlderOpsetsThan7AreRefused) {
    expect_contains(refusal("agraph (float[2] x) => (float[2] y) { y = Relu(x) }", 6),
                    "opset 6 of ai.onnx; 7 to");
}

}  // namespace
}  // namespace emulsion::test
