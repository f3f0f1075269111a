#include "frontend/lower/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "frontend/ops/operator.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

// The only node's result, with its tensors and itself under other names.
std::vector<double> evaluated(Graph graph, const std::string &tensor_name = "",
                              const std::string &node_name = "") {
    for (size_t i = 0; i < graph.tensors.size() && !tensor_name.empty(); i++) {
        graph.tensors[i].name = tensor_name + std::to_string(i);
    }
    if (!node_name.empty()) {
        graph.nodes.front().name = node_name;
    }
    return to_doubles(evaluate(graph, graph.nodes.front()).front(), DataType::F32);
}

}  // namespace

TEST(Evaluate, ComputesANodeOfConstants) {
    NetworkMaker m(1);
    const TensorId a = m.constant({2, 3}), b = m.constant({3});
    m.binary("Add", a, b);
    const Graph graph = m.finish_all();
    const auto x = to_doubles(*graph.tensor(a).constant, DataType::F32);
    const auto y = to_doubles(*graph.tensor(b).constant, DataType::F32);
    const auto sum = evaluated(graph);
    ASSERT_EQ(6U, sum.size());
    for (size_t i = 0; i < 6; i++) {
        EXPECT_NEAR(x[i] + y[i % 3], sum[i], 1e-6);
    }
}

// Halide calls its own variables t0, t1, ..., and takes dots for scopes.
TEST(Evaluate, NamesOfTheModelDoNotMatter) {
    NetworkMaker m(2);
    m.softmax(m.constant({7, 8, 4}), 0);
    const Graph graph = m.finish_all();
    const auto expected = evaluated(graph, "a", "b");
    for (const char *tensors : {"t", "layer.0.weight.", "x y/\xc3\xa4:0 $"}) {
        EXPECT_EQ(expected, evaluated(graph, tensors, "/layer1/layer1.0/Softmax")) << tensors;
    }
}

TEST(Evaluate, PaddingIsNoElementOfATensorOfOne) {
    NetworkMaker m(3);
    m.pool("AveragePool", m.constant({1, 1, 1, 1}), 3, 1, 1);
    m.conv(m.constant({1, 1, 1, 1}), {.channels = 1, .kernel = 3, .padding = 1, .bias = false});
    const Graph graph = m.finish_all();
    const Node &conv = graph.nodes.back();
    const double x = to_doubles(*graph.tensor(conv.inputs[0]).constant, DataType::F32)[0];
    const auto weights = to_doubles(*graph.tensor(conv.inputs[1]).constant, DataType::F32);
    EXPECT_NEAR(x * weights[4], to_doubles(evaluate(graph, conv).front(), DataType::F32).at(0),
                1e-6);
}

// A reduction that was recomputed for each of its readers would take minutes.
TEST(Evaluate, ReductionsAreComputedOnce) {
    NetworkMaker m(4);
    m.softmax(m.constant({1 << 16}), 0);
    double sum = 0.0;
    for (double e : evaluated(m.finish_all())) {
        sum += e;
    }
    EXPECT_NEAR(1.0, sum, 1e-3);
}

TEST(Evaluate, WhatTheBudgetDoesNotAllowIsNotComputed) {
    NetworkMaker m(6);
    m.binary("Add", m.constant({2, 3}), m.constant({3}));
    const Graph graph = m.finish_all();
    const Node &add = graph.nodes.front();
    const EvaluationBudget whole;
    Evaluator evaluator;
    EXPECT_TRUE(evaluator.value(graph, add));
    EXPECT_EQ(evaluator.left().nodes, whole.nodes - 1);
    EXPECT_EQ(evaluator.left().bytes, whole.bytes - 24);
    EXPECT_EQ(evaluator.left().steps, whole.steps - 6);
    for (const EvaluationBudget little :
         {EvaluationBudget{.nodes = 0}, EvaluationBudget{.bytes = 23},
          EvaluationBudget{.steps = 5}}) {
        EXPECT_FALSE(Evaluator(little).value(graph, add));
    }
}

TEST(Evaluate, ReductionsAreChargedForWhatTheySum) {
    NetworkMaker m(7);
    m.conv(m.constant({1, 2, 4, 4}), {.channels = 3, .kernel = 1, .padding = 0, .bias = false});
    m.softmax(m.constant({5, 7}), 1);
    const Graph graph = m.finish_all();
    const auto charge_of = [&](const Node &node) {
        Evaluator evaluator;
        EXPECT_TRUE(evaluator.value(graph, node));
        return EvaluationBudget().steps - evaluator.left().steps;
    };
    EXPECT_EQ(charge_of(graph.nodes[0]), 48 + 48 * 2);
    EXPECT_EQ(charge_of(graph.nodes[1]), 35 + 2 * 35);  // the largest and the sum of each row
}

// Models compute the same shapes in every block.
TEST(Evaluate, WhatIsLikeANodeBeforeCostsNothing) {
    NetworkMaker m(8);
    const TensorId a = m.constant({2, 3}), b = m.constant({3}), other = m.constant({3});
    m.binary("Add", a, b);
    m.binary("Add", a, b);      // alike
    m.binary("Add", a, other);  // other values
    m.binary("Sub", a, b);
    m.softmax(a, 0);
    m.softmax(a, 1);
    const Graph graph = m.finish_all();
    const std::vector<int64_t> charged{1, 0, 1, 1, 1, 1};
    Evaluator evaluator;
    for (size_t i = 0; i < charged.size(); i++) {
        const Node &node = graph.nodes.at(i);
        const int64_t before = evaluator.left().nodes;
        const auto value = evaluator.value(graph, node);
        ASSERT_TRUE(value);
        EXPECT_EQ(before - charged[i], evaluator.left().nodes) << i;
        EXPECT_EQ(to_doubles(evaluate(graph, node).front(), DataType::F32),
                  to_doubles(*value, DataType::F32))
            << i;
    }
}

TEST(Evaluate, AnUnknownOperatorIsRefused) {
    NetworkMaker m(5);
    m.unary("Poem", m.constant({2}));
    const Graph graph = m.finish_all();
    try {
        evaluate(graph, graph.nodes.front());
        FAIL();
    } catch (const Error &e) {
        EXPECT_NE(std::string::npos, std::string(e.what()).find("Poem"));
    }
}

namespace {

// Of polynomials of degree 2 at `at`, over the product of its differences from the other points.
std::array<double, 3> weight_row(const std::vector<double> &points, double at) {
    double others = 1.0;
    for (const double other : points) {
        others *= other == at ? 1.0 : at - other;
    }
    return {1.0 / others, at / others, at * at / others};
}

void expect_transformed(int results, const std::vector<double> &points, int out, int in) {
    std::vector<std::array<double, 3>> g;
    for (const double point : points) {
        g.push_back(weight_row(points, point));
    }
    g.push_back({0.0, 0.0, 1.0});
    const int window = results + 2, places = window * window;
    NetworkMaker m(static_cast<uint64_t>(out * in));
    const TensorId weights = m.constant({out, in, 3, 3});
    m.node("WinogradWeights", {weights}, {places, in, out}, {{"tile", int64_t{results}}});
    Graph graph = m.finish_all();
    graph.nodes.front().domain = kOwnDomain;
    const auto w = to_doubles(*graph.tensor(weights).constant, DataType::F32);
    const std::vector<double> found = evaluated(graph);
    ASSERT_EQ(static_cast<size_t>(places * in * out), found.size());
    for (int i = 0; i < places * in * out; i++) {
        const auto place = static_cast<size_t>(i / (in * out));
        const int c = i / out % in, o = i % out;
        double expected = 0.0;
        for (size_t tap = 0; tap < 9; tap++) {
            expected += g[place / g.size()].at(tap / 3) * g[place % g.size()].at(tap % 3) *
                        w.at(static_cast<size_t>(o * in + c) * 9 + tap);
        }
        ASSERT_NEAR(expected, found.at(static_cast<size_t>(i)), 1e-6)
            << results << ", " << out << " " << in << ", element " << i;
    }
}

}  // namespace

// G g G' of "Fast Algorithms for Convolutional Neural Networks", section 4.
TEST(Evaluate, TransformsWeightsOfAnyChannelsForWinograd) {
    for (const auto &[out, in] : {std::pair{1, 1}, {16, 32}, {33, 5}, {7, 47}}) {
        expect_transformed(2, {0.0, 1.0, -1.0}, out, in);
        expect_transformed(4, {0.0, 0.625, -0.625, 1.5, -1.5}, out, in);
    }
}

}  // namespace emulsion::test
