// Networks planned for a GPU compute what the same operators compute one by one in double precision: their
// kernels, through Halide's OpenCL, on whatever OpenCL device there is (PoCL's, on a CPU).
#include <Halide.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "frontend/graph/pass.h"
#include "tests/lower/execution.h"
#include "tests/lower/network_maker.h"
#include "tests/lower/random_network.h"
#include "tests/lower/zoo_graph.h"

namespace emulsion::test {

namespace {

constexpr double kSeconds = 6.0;  // for the random networks

constexpr size_t kFewNodes = 20;  // that a message lists

PlannedNetwork planned(const Graph &graph, const std::string &policy, bool checked = false) {
    PlanOptions options;
    options.policy = policy;
    options.checked = checked;
    options.target = "host-opencl";
    return plan_network(graph, options);
}

const std::vector<std::string> kPolicies = {"gao2025", "none", "tvm"};

void expect_right(const RandomNetwork &network, const std::vector<std::string> &policies) {
    const auto &[graph, inputs, reference] = network;
    for (const std::string &policy : policies) {
        const PlannedNetwork plan = planned(graph, policy);
        EXPECT_EQ("", run_and_compare(plan, inputs, reference))
            << "policy " << policy << ", "
            << (graph.nodes.size() < kFewNodes ? describe(plan) : "");
    }
}

void expect_right(const Graph &graph, uint64_t seed,
                  const std::vector<std::string> &policies = kPolicies) {
    const TensorValues inputs = random_inputs(graph, seed);
    expect_right({graph, inputs, evaluate_reference(graph, inputs)}, policies);
}

}  // namespace

TEST(GpuNetworks, AConvolutionWithItsEpilogueIsRight) {
    NetworkMaker make(1);
    TensorId x = make.input({1, 16, 14, 14});
    x = make.conv(x, {.channels = 64, .kernel = 3, .padding = 1});
    x = make.unary("Relu", x);
    x = make.conv(x, {.channels = 24, .kernel = 1});
    expect_right(make.finish({x}), 1);
}

// The norm isn't computed where the select leaves it out; the remainder branches on it there too.
TEST(GpuNetworks, AValueThatASelectLeavesOutDoesNoHarm) {
    NetworkMaker make(1);
    TensorId x = make.node("ReduceL2", {make.input({13, 5, 1}), make.integers({2})}, {13, 5},
                           {{"keepdims", int64_t{0}}});
    x = make.node("Mod", {x, make.constant({1, 5}, 4.0)}, {13, 5}, {{"fmod", int64_t{1}}});
    x = make.node("Trilu", {x}, {13, 5});
    expect_right(make.finish({x}), 1);
}

// An index that lies in the GPU's memory, and a halo that rows of a panel share, which Halide's checks on the
// host don't understand.
TEST(GpuNetworks, CheckedOnesAreRight) {
    NetworkMaker gather(1);
    const TensorId element = gather.node(
        "GatherND", {gather.input({5, 8, 2, 13, 1}), gather.integers({3, -5, 0, -10, 0})}, {});
    NetworkMaker conv(2);
    const TensorId product = conv.mat_mul(conv.input({1, 5, 4, 5}), conv.input({1, 5, 5, 12}));
    const TensorId window = conv.conv(product, {.channels = 3, .kernel = 4, .padding = 4});
    for (const Graph &graph : {gather.finish({element}), conv.finish({window})}) {
        const TensorValues inputs = random_inputs(graph, 1);
        EXPECT_EQ("", run_and_compare(planned(graph, "gao2025", true), inputs,
                                      evaluate_reference(graph, inputs)));
    }
}

// For these Halide loads vectors of 12 and twice 6.
TEST(GpuNetworks, StridesOfThreeAreRight) {
    NetworkMaker least(1);
    const TensorId minima =
        least.node("ReduceMin", {least.input({2, 12, 1, 3}), least.integers({3})}, {2, 12, 1},
                   {{"keepdims", int64_t{0}}});
    least.node("Conv", {minima, least.constant({1, 12, 1})}, {2, 1, 1});
    NetworkMaker slice(2);
    const TensorId third = slice.node("Slice",
                                      {slice.input({1, 8, 1, 3, 1}), slice.integers({1}),
                                       slice.integers({2}), slice.integers({3})},
                                      {1, 8, 1, 1, 1});
    slice.node("Conv", {third, slice.constant({4, 8, 2, 2, 5})}, {1, 4, 2, 2, 1},
               {{"pads", std::vector<int64_t>{1, 1, 2, 1, 1, 2}}});
    for (const Graph &graph : {least.finish_all(), slice.finish_all()}) {
        expect_right(graph, 1);
    }
}

TEST(GpuNetworks, DoublesAreRight) {
    NetworkMaker make(1, DataType::F64);
    const TensorId x = make.pool("MaxPool", make.input({1, 16, 7, 7}), 3, 1, 1);
    make.binary("Mul", x, make.constant({1}, 0.1));
    expect_right(make.finish_all(), 1);
}

TEST(GpuNetworks, RandomNetworksAreRight) {
    if (const char *seed = std::getenv("EMULSION_TEST_SEED")) {
        const uint64_t number = std::strtoull(seed, nullptr, 10);
        expect_right(random_network(number), kPolicies);
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    for (uint64_t seed = 1; seconds() < kSeconds && !HasFailure(); seed++) {
        SCOPED_TRACE("EMULSION_TEST_SEED=" + std::to_string(seed));
        expect_right(random_network(seed), kPolicies);
    }
}

class GpuZoo : public testing::TestWithParam<const char *> {};

TEST_P(GpuZoo, IsRight) { expect_right(run_passes(zoo_graph(GetParam())), 1, {"gao2025"}); }

INSTANTIATE_TEST_SUITE_P(Slow, GpuZoo,
                         testing::Values("tiny_plain", "tiny_residual", "tiny_squeeze_excite",
                                         "tiny_concat", "tiny_attention"));

// At the size of image that they are trained for, a CPU would take hours.
class GpuImages : public testing::TestWithParam<const char *> {};

TEST_P(GpuImages, IsRightOnSmallImages) {
    expect_right(run_passes(zoo_graph(GetParam(), 32)), 1, {"gao2025"});
}

INSTANTIATE_TEST_SUITE_P(Slow, GpuImages,
                         testing::Values("mobilenet_v1", "efficientnet_b0", "vgg16", "yolo_v4"));

}  // namespace emulsion::test
