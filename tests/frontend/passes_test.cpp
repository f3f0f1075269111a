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
    ASSERT_EQ(times.size(), 6U);
    EXPECT_EQ(times[0].name, "fold-constants");
    EXPECT_EQ(times[1].name, "drop-no-ops");
    EXPECT_EQ(times[2].name, "fold-pads");
    EXPECT_EQ(times[3].name, "fold-batch-norms");
    EXPECT_EQ(times[4].name, "trim-kernels");
    EXPECT_EQ(times[5].name, "recognize-activations");
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

// Small values are computed at loading already (ShapeArithmetic); these are larger.
constexpr int kLarge = 600;

// The model with initializers `names` of kLarge elements 0, 1, 2, ...
Graph with_constants(const std::string &text, const std::vector<std::string> &names) {
    onnx::ModelProto proto = model(text);
    for (const std::string &name : names) {
        onnx::TensorProto &tensor = *proto.mutable_graph()->add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::FLOAT);
        tensor.add_dims(kLarge);
        for (int i = 0; i < kLarge; i++) {
            tensor.add_float_data(static_cast<float>(i));
        }
    }
    return load(proto);
}

TEST(FoldConstants, ChainsOfConstantsDisappear) {
    const Graph graph =
        only("fold-constants", with_constants(R"(agraph (float[600] x) => (float[600] y)
        { c = Add(a, b) d = Relu(c) y = Add(x, d) })",
                                              {"a", "b"}));
    ASSERT_EQ(operators(graph), "Add");
    EXPECT_EQ(floats(tensor(graph, "d"))[300], 600.0F);
}

TEST(FoldConstants, ShapesOfVariableTensorsAreConstants) {
    const Graph graph =
        only("fold-constants", load(R"(agraph (float[2,3] x) => (float[6] y, int64[] n)
        <int64[1] one = {1}, int64[1] minus = {-1}>
        { shape = Shape(x)
          first = Shape <end = 1> (x)
          both = Mul(shape, first)
          n = Size(x)
          m = Reshape(n, one)
          t = Expand(x, shape)
          y = Reshape(t, m) })"));
    EXPECT_EQ(operators(graph), "Expand Reshape Identity");
}

// Something has to write a graph output; what else reads it reads the constant.
TEST(FoldConstants, AConstantGraphOutputIsHandedOut) {
    const Graph graph =
        only("fold-constants", load(R"(agraph (float[2] x) => (float[2] y, float[2] d)
        <float[2] a = {1, 2}, float[2] b = {10, 20}>
        { d = Add(a, b) c = Mul(d, d) y = Add(x, c) })"));
    ASSERT_EQ(operators(graph), "Add Identity");
    EXPECT_EQ(graph.tensor(graph.outputs[1]).name, "d");
    EXPECT_EQ(floats(graph.tensor(graph.nodes[1].inputs[0])), (std::vector<float>{11, 22}));
    EXPECT_EQ(floats(tensor(graph, "c")), (std::vector<float>{121, 484}));
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

TEST(DropNoOps, DataThatStaysInPlaceIsNotMoved) {
    const Graph graph = only("drop-no-ops", load(R"(agraph (float[1,2,1,4] x) => (float[1,2,1,4] y)
        <int64[4] zero = {0, 0, 0, 0}, int64[4] shape = {1, 2, 1, 4}, int64[8] pads = {0, 0, 0, 0, 0, 0, 0, 0},
         int64[4] axes = {0, 1, 2, 3}, int64[4] ones = {1, 1, 1, 1}, float[4] scales = {1, 1, 1, 1}>
        { a = Relu(x)
          b = Transpose <perm = [2, 1, 0, 3]> (a)
          c = Slice(b, zero, shape, axes, ones)
          d = Split <axis = 1, num_outputs = 1> (c)
          e = Concat <axis = 1> (d)
          f = Pad(e, pads)
          g = Expand(f, ones)
          h = Tile(g, ones)
          i = Resize(h, , scales)
          j = Resize <mode = "linear"> (i, , , shape)
          k = Cast <to = 1> (j)
          l = DepthToSpace <blocksize = 1> (k)
          m = Max(l)
          y = Relu(m) })"));
    EXPECT_EQ(operators(graph), "Relu Relu");
}

TEST(DropNoOps, DataThatMovesWithinItsShapeStays) {
    const Graph graph = only("drop-no-ops", load(R"(agraph (float[2,2] x) => (float[2,2] y)
        <int64[1] first = {1}, int64[1] before = {-3}, int64[1] zero = {0}, int64[1] back = {-1},
         int64[4] pads = {1, 0, -1, 0}, float[2] scales = {1.25, 1}>
        { a = Transpose(x)
          b = Slice(a, first, before, zero, back)
          c = Pad(b, pads)
          y = Resize(c, , scales) })"));
    EXPECT_EQ(operators(graph), "Transpose Slice Pad Resize");
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

TEST(FoldPads, AConvTakesThePadding) {
    const Graph graph = only("fold-pads", load(R"(agraph (float[1,1,4,4] x) => (float[1,1,6,9] y)
        <float[1,1,3,3] w = {1, 1, 1, 1, 1, 1, 1, 1, 1}, int64[4] p = {1, 2, 1, 3},
         int64[2] axes = {2, -1}, int64[8] q = {0, 0, 0, 0, 0, 0, 1, 0}, float zero = {0}>
        { a = Pad(x, p, zero, axes)
          b = Pad(a, q)
          y = Conv <pads = [1, 0, 0, 2]> (b, w) })"));
    ASSERT_EQ(operators(graph), "Conv");
    EXPECT_EQ(graph.nodes[0].integers("pads", {}), (std::vector<int64_t>{2, 2, 2, 5}));
}

TEST(FoldPads, WhatIsNoPaddingOfAConvStays) {
    for (const char *pad : {"Pad(x, channels)", "Pad(x, crop)", "Pad(x, spatial, one)",
                            "Pad <mode = \"edge\"> (x, spatial)"}) {
        const Graph graph = only(
            "fold-pads", load(std::string("agraph (float[1,1,4,4] x) => (float[N,1,H,W] y)"
                                          "<float[1,1,1,1] w = {1}, float one = {1},"
                                          " int64[8] channels = {1, 0, 0, 0, 0, 0, 0, 0},"
                                          " int64[8] crop = {0, 0, -1, 0, 0, 0, 0, 0},"
                                          " int64[8] spatial = {0, 0, 1, 0, 0, 0, 0, 0}> { a = ") +
                              pad + " y = Conv(a, w) }"));
        EXPECT_EQ(operators(graph), "Pad Conv") << pad;
    }
}

TEST(FoldPads, APadWithAnotherReaderStaysForIt) {
    const Graph graph =
        only("fold-pads", load(R"(agraph (float[1,1,4,4] x) => (float[1,1,6,6] y, float[1,1,6,6] z)
        <float[1,1,1,1] w = {1}, int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}>
        { a = Pad(x, p) y = Conv(a, w) z = Relu(a) })"));
    EXPECT_EQ(operators(graph), "Pad Conv Relu");
    EXPECT_EQ(graph.nodes[1].inputs[0], graph.inputs[0]);
}

TEST(TrimKernels, TapsThatOnlyMeetPaddingGo) {
    // Along rows only the tap in the middle meets data, along columns the last two do.
    const Graph graph = only("trim-kernels", load(R"(agraph (float[1,1,4,4] x) => (float[1,1,4,2] y)
        <float[1,1,3,3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9}>
        { y = Conv <dilations = [5, 2], pads = [5, 4, 5, 0], strides = [1, 3]> (x, w) })"));
    ASSERT_EQ(operators(graph), "Conv");
    const Node &conv = graph.nodes[0];
    EXPECT_EQ(graph.tensor(conv.inputs[1]).extents(), (std::vector<int64_t>{1, 1, 1, 2}));
    EXPECT_EQ(floats(graph.tensor(conv.inputs[1])), (std::vector<float>{5, 6}));
    EXPECT_EQ(conv.integers("pads", {}), (std::vector<int64_t>{0, 2, 0, 0}));
}

TEST(TrimKernels, WhatMeetsDataOrBeginsInsideStays) {
    for (const char *attributes : {"dilations = [3, 3], pads = [3, 3, 3, 3]",
                                   "dilations = [3, 3], strides = [4, 4], pads = [1, 1, 5, 5]"}) {
        const Graph graph =
            only("trim-kernels", load(std::string("agraph (float[1,1,4,4] x) => (float[1,1,H,W] y)"
                                                  "<float[1,1,3,3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9}>"
                                                  "{ y = Conv <") +
                                      attributes + "> (x, w) }"));
        EXPECT_EQ(graph.tensor(graph.nodes[0].inputs[1]).element_count(), 9) << attributes;
    }
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

TEST(FoldBatchNorms, EpsilonIsAddedToTheVariance) {
    const Graph graph =
        only("fold-batch-norms", load(R"(agraph (float[1,1,4,4] x) => (float[1,2,4,4] y)
        <float[2] s = {2, 3}, float[2] z = {0, 0}, float[2] v = {3, 8}, float[2,1,1,1] w = {1, 10}>
        { t = Conv(x, w) y = BatchNormalization <epsilon = 1.0> (t, s, z, z, v) })"));
    ASSERT_EQ(operators(graph), "Conv");
    EXPECT_EQ(floats(graph.tensor(graph.nodes[0].inputs[1])), (std::vector<float>{1, 10}));
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

// Two groups of two input and two output channels: W has the group's output channels along axis 1.
TEST(FoldBatchNorms, AConvTransposeTakesScalesGroupByGroup) {
    const Graph graph =
        only("fold-batch-norms", load(R"(agraph (float[1,4,3,3] x) => (float[1,4,3,3] y)
        <float[4] s = {2, 3, 5, 7}, float[4] z = {0, 0, 0, 0}, float[4] v = {1, 1, 1, 1},
         float[4,2,1,1] w = {1, 1, 10, 10, 100, 100, 1000, 1000}, float[4] c = {1, 1, 1, 1}>
        { t = ConvTranspose <group = 2> (x, w, c)
          y = BatchNormalization <epsilon = 0.0> (t, s, z, z, v) })"));
    ASSERT_EQ(operators(graph), "ConvTranspose");
    EXPECT_EQ(floats(graph.tensor(graph.nodes[0].inputs[1])),
              (std::vector<float>{2, 3, 20, 30, 500, 700, 5000, 7000}));
    EXPECT_EQ(floats(graph.tensor(graph.nodes[0].inputs[2])), (std::vector<float>{2, 3, 5, 7}));
}

TEST(FoldBatchNorms, ProductsAndSumsWithANumberForEachChannelFoldLikewise) {
    const Graph graph =
        only("fold-batch-norms", load(R"(agraph (float[1,1,4,4] x) => (float[1,2,4,4] y)
        <float[1,2,1,1] s = {2, 3}, float[2,1,1] t = {10, 20}, float half = {0.5},
         float[2,1,1,1] w = {5, 7}>
        { a = Conv(x, w) b = Mul(a, s) c = Add(t, b) y = Mul(c, half) })"));
    ASSERT_EQ(operators(graph), "Conv");
    EXPECT_EQ(floats(graph.tensor(graph.nodes[0].inputs[1])), (std::vector<float>{5, 10.5}));
    EXPECT_EQ(floats(graph.tensor(graph.nodes[0].inputs[2])), (std::vector<float>{5, 10}));
}

TEST(FoldBatchNorms, OtherProductsAndSumsStay) {
    const auto left = [](const std::string &constant, const std::string &result,
                         const std::string &node) {
        return operators(
            only("fold-batch-norms", load("agraph (float[1,1,2,2] x) => (float[" + result +
                                          "] y) <float[2,1,1,1] w = {5, 7}, " + constant +
                                          "> { a = Conv(x, w) y = " + node + " }")));
    };
    EXPECT_EQ(left("float[2] c = {1, 2}", "1,2,2,2", "Mul(a, c)"), "Conv Mul") << "along the width";
    EXPECT_EQ(left("float[2,1,1,1] c = {1, 2}", "2,2,2,2", "Add(a, c)"), "Conv Add") << "larger";
    EXPECT_EQ(left("float[1,1,1,1,1] c = {2}", "1,1,2,2,2", "Add(a, c)"), "Conv Add") << "rank";
    EXPECT_EQ(left("float c = {2}", "1,2,2,2", "Mul(a, a)"), "Conv Mul") << "no constant";
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
