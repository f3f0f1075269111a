// Graph passes: what they change and, as important, what they leave alone.
#include <gtest/gtest.h>

#include <cmath>

#include "frontend/graph/pass.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

Graph only(const std::string &pass, Graph graph) {
    std::set<std::string> others;
    for (const Pass *each : ordered_passes()) {
        if (each->name != pass) {
            others.insert(each->name);
        }
    }
    return run_passes(std::move(graph), others);
}

std::vector<float> floats(const Tensor &tensor) {
    const float *values = tensor.constant->as<float>();
    return {values, values + tensor.element_count()};
}

TEST(Passes, RunInOrderAndAreTimed) {
    std::vector<PassTime> times;
    run_passes(load("agraph (float[2] x) => (float[2] y) { y = Relu(x) }"), {}, &times);
    ASSERT_EQ(times.size(), 3U);
    EXPECT_EQ(times[0].name, "fold-constants");
    EXPECT_EQ(times[1].name, "drop-no-ops");
    EXPECT_EQ(times[2].name, "fold-batch-norms");
    for (const PassTime &time : times) {
        EXPECT_GE(time.seconds, 0.0);
    }
}

TEST(Passes, AnUnknownNameIsRefusedWithTheKnownOnes) {
    try {
        run_passes(load("agraph (float[2] x) => (float[2] y) { y = Relu(x) }"), {"fold-all"});
        FAIL();
    } catch (const Error &error) {
        EXPECT_NE(error.message().find("fold-batch-norms"), std::string::npos) << error.what();
    }
}

TEST(FoldConstants, ChainsOfConstantsDisappear) {
    const Graph graph = only("fold-constants", load(R"(agraph (float[2] x) => (float[2] y)
        <float[2] a = {1, 2}, float[2] b = {10, 20}>
        { c = Add(a, b) d = Identity(c) y = Add(x, d) })"));
    ASSERT_EQ(operators(graph), "Add");
    EXPECT_EQ(floats(tensor(graph, "d")), (std::vector<float>{11, 22}));
}

TEST(FoldConstants, NodesThatMakeGraphOutputsStay) {
    const Graph graph =
        only("fold-constants", load(R"(agraph (float[2] x) => (float[2] y, float[2] d)
        <float[2] a = {1, 2}, float[2] b = {10, 20}>
        { c = Add(a, b) d = Identity(c) y = Relu(x) })"));
    EXPECT_EQ(operators(graph), "Identity Relu");
}

TEST(DropNoOps, NodesThatChangeNothingDisappear) {
    const Graph graph = only("drop-no-ops", load(R"(agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
        <int64[4] shape = {1, 2, 4, 4}, bool off = {0}, float ratio = {0.5}>
        { a = Relu(x)
          b = Identity(a)
          c = Dropout(b, ratio, off)
          d = Reshape(c, shape)
          e = AveragePool <kernel_shape = [1, 1]> (d)
          f = MaxPool <kernel_shape = [1, 1], strides = [1, 1]> (e)
          g = Clip(f)
          y = Relu(g) })"));
    EXPECT_EQ(operators(graph), "Relu Relu");
}

TEST(DropNoOps, FlattenOfAMatrixDisappears) {
    EXPECT_EQ(operators(only("drop-no-ops", load(R"(agraph (float[2,3] x) => (float[2,3] y)
        { t = Flatten(x) y = Relu(t) })"))),
              "Relu");
}

TEST(DropNoOps, TheNameOfAGraphOutputStays) {
    const Graph graph = only("drop-no-ops", load(R"(agraph (float[2] x) => (float[2] y)
        { t = Relu(x) y = Identity(t) })"));
    ASSERT_EQ(operators(graph), "Relu");
    EXPECT_EQ(graph.tensor(graph.outputs[0]).name, "y");
}

TEST(DropNoOps, OtherReadersOfARenamedValueFollow) {
    const Graph graph = only("drop-no-ops", load(R"(agraph (float[2] x) => (float[2] y, float[2] z)
        { t = Relu(x) y = Identity(t) z = Add(t, t) })"));
    EXPECT_EQ(operators(graph), "Relu Add");
}

TEST(DropNoOps, WhatHandsOutAnInputOrAnotherOutputStays) {
    EXPECT_EQ(operators(only("drop-no-ops",
                             load("agraph (float[2] x) => (float[2] y) { y = Identity(x) }"))),
              "Identity");
    EXPECT_EQ(operators(only("drop-no-ops", load(R"(agraph (float[2] x) => (float[2] y, float[2] z)
        { y = Relu(x) z = Identity(y) })"))),
              "Relu Identity");
}

TEST(DropNoOps, NodesThatMayChangeSomethingStay) {
    const Graph graph =
        only("drop-no-ops", load(R"(agraph (float[1,1,4,4] x, bool t) => (float[1,16] y)
        <float low = {0}, float ratio = {0.5}>
        { a = Clip(x, low)
          b = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (a)
          c = Dropout(b, ratio, t)
          y = Flatten(c) })"));
    EXPECT_EQ(operators(graph), "Clip AveragePool Dropout Flatten");
}

// Two channels with scale 2, 3; bias 1, -1; mean 0.5, 1; variance 4, 9 and epsilon 0: y = s x + t
// with s = 1, 1 and t = 0.5, -2.
const char *const kNorm = "float[2] s = {2, 3}, float[2] b = {1, -1}, float[2] m = {0.5, 1}, "
                          "float[2] v = {4, 9}";

TEST(FoldBatchNorms, AConvTakesScaleAndShift) {
    const Graph graph = only("fold-batch-norms",
                             load(std::string("agraph (float[1,1,4,4] x) => (float[1,2,4,4] y)<") +
                                  kNorm + R"(, float[2,1,1,1] w = {10, 20}, float[2] c = {7, 8}>
        { [conv] t = Conv(x, w, c)
          n = BatchNormalization <epsilon = 0.0> (t, s, b, m, v)
          y = Relu(n) })"));
    ASSERT_EQ(operators(graph), "Conv Relu");
    const Node &conv = graph.nodes[0];
    EXPECT_EQ(conv.name, "conv");
    EXPECT_EQ(graph.tensor(conv.outputs[0]).name, "n") << "the batch norm's name stays";
    EXPECT_EQ(floats(graph.tensor(conv.inputs[1])), (std::vector<float>{10, 20}));
    EXPECT_EQ(floats(graph.tensor(conv.inputs[2])), (std::vector<float>{7.5, 6}));
}

TEST(FoldBatchNorms, ScalesRunAlongOutputChannels) {
    const Graph graph =
        only("fold-batch-norms", load(R"(agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
        <float[2] s = {2, 3}, float[2] z = {0, 0}, float[2] v = {1, 1},
         float[2,2,1,1] w = {1, 10, 100, 1000}>
        { t = Conv(x, w) y = BatchNormalization <epsilon = 0.0> (t, s, z, z, v) })"));
    ASSERT_EQ(operators(graph), "Conv");
    EXPECT_EQ(floats(graph.tensor(graph.nodes[0].inputs[1])),
              (std::vector<float>{2, 20, 300, 3000}));
}

TEST(FoldBatchNorms, AGemmTakesScaleAndShiftWhicheverWayItsWeightsLie) {
    for (const bool transposed : {false, true}) {
        const std::string weights =
            transposed ? "float[2,3] w = {1, 2, 3, 4, 5, 6}" : "float[3,2] w = {1, 4, 2, 5, 3, 6}";
        const Graph graph = only(
            "fold-batch-norms",
            load(
                "agraph (float[1,3] x) => (float[1,2] y)<float[2] s = {2, 10}, float[2] z = {0, 0}, "
                "float[2] v = {1, 1}, float[1,2] c = {1, 1}, " +
                weights + "> { t = Gemm <beta = 0.5, transB = " + (transposed ? "1" : "0") +
                "> (x, w, c) y = BatchNormalization <epsilon = 0.0> (t, s, z, z, v) }"));
        ASSERT_EQ(operators(graph), "Gemm");
        const Node &gemm = graph.nodes[0];
        EXPECT_EQ(floats(graph.tensor(gemm.inputs[1])),
                  transposed ? (std::vector<float>{2, 4, 6, 40, 50, 60})
                             : (std::vector<float>{2, 40, 4, 50, 6, 60}));
        EXPECT_EQ(floats(graph.tensor(gemm.inputs[2])), (std::vector<float>{1, 5}));
        EXPECT_EQ(gemm.real("beta", 0.0), 1.0);
    }
}

TEST(FoldBatchNorms, OneAfterAnotherFoldsIntoOneConv) {
    const Graph graph =
        only("fold-batch-norms", load(R"(agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
        <float[1] s = {3}, float[1] z = {0}, float[1] v = {1}, float[1,1,1,1] w = {5}>
        { t = Conv(x, w)
          n = BatchNormalization <epsilon = 0.0> (t, s, z, z, v)
          y = BatchNormalization <epsilon = 0.0> (n, s, z, z, v) })"));
    ASSERT_EQ(operators(graph), "Conv");
    EXPECT_EQ(floats(graph.tensor(graph.nodes[0].inputs[1])), std::vector<float>{45});
}

// A Conv and a batch norm around a value `t`, with one thing changed.
std::string around(const std::string &inputs, const std::string &outputs, const std::string &norm,
                   const std::string &more = "") {
    return "agraph (float[1,1,4,4] x" + inputs + ") => (float[1,1,4,4] y" + outputs +
           ") <float[1] one = {1}, float[1] minus = {-1}, float[1,1,1,1] w = {5}> { t = Conv(x, w) "
           "y = BatchNormalization" +
           norm + more + " }";
}

TEST(FoldBatchNorms, NothingIsFoldedWhereItWouldChangeSomethingElse) {
    const std::string plain = "(t, one, one, one, one)";
    EXPECT_EQ(operators(only("fold-batch-norms", load(around("", "", plain)))), "Conv");
    EXPECT_EQ(operators(only("fold-batch-norms", load(around("", ", float[1,1,4,4] t", plain)))),
              "Conv BatchNormalization")
        << "the value between is an output";
    EXPECT_EQ(operators(only("fold-batch-norms",
                             load(around("", ", float[1,1,4,4] z", plain, " z = Relu(t)")))),
              "Conv BatchNormalization Relu")
        << "the value between has another reader";
    EXPECT_EQ(operators(only("fold-batch-norms",
                             load(around(", float[1] p", "", "(t, one, p, one, one)")))),
              "Conv BatchNormalization")
        << "a parameter is no constant";
    EXPECT_EQ(operators(only("fold-batch-norms",
                             load(around("", "", "<epsilon = 0.5> (t, one, one, one, minus)")))),
              "Conv BatchNormalization")
        << "the variance is negative: the result is no number";
}

}  // namespace
}  // namespace emulsion::test
