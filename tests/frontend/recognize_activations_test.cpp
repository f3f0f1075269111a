// Which groups of nodes become one activation, and which stay.
#include <gtest/gtest.h>

#include "frontend/graph/pass.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

// What is left of nodes with operand x and result y, and constants.
Graph only_recognized(const std::string &nodes) {
    std::set<std::string> others;
    for (const Pass *each : ordered_passes()) {
        if (each->name != "recognize-activations") {
            others.insert(each->name);
        }
    }
    return run_passes(load(R"(agraph (float[2,3] x) => (float[2,3] y)
        <float half = {0.5}, float one = {1}, float root = {1.41421}, float inverse = {0.707107},
         float three = {3}, float cubic = {0.044715}, float slope = {0.797885}>
        { )" + nodes + " }"),
                      others);
}

// The operators of that.
std::string recognized(const std::string &nodes) { return operators(only_recognized(nodes)); }

TEST(RecognizeActivations, MishInAnyOrder) {
    EXPECT_EQ(recognized("a = Softplus(x) b = Tanh(a) y = Mul(x, b)"), "Mish");
    EXPECT_EQ(recognized("a = Softplus(x) b = Tanh(a) y = Mul(b, x)"), "Mish");
}

TEST(RecognizeActivations, MishOfAnotherValueStays) {
    EXPECT_EQ(recognized("z = Abs(x) a = Softplus(z) b = Tanh(a) y = Mul(x, b)"),
              "Abs Softplus Tanh Mul");
    EXPECT_EQ(recognized("a = Softplus(x) b = Sigmoid(a) y = Mul(x, b)"), "Softplus Sigmoid Mul");
}

TEST(RecognizeActivations, WhatOthersReadStays) {
    EXPECT_EQ(recognized("a = Softplus(x) b = Tanh(a) c = Mul(x, b) y = Add(a, c)"),
              "Softplus Mish Add");
}

TEST(RecognizeActivations, HardSwishWithItsSlopeOnly) {
    EXPECT_EQ(recognized("a = HardSigmoid <alpha = 0.16666667, beta = 0.5> (x) y = Mul(a, x)"),
              "HardSwish");
    EXPECT_EQ(recognized("a = HardSigmoid(x) y = Mul(a, x)"), "HardSigmoid Mul");
}

TEST(RecognizeActivations, GeluHoweverItIsAssociated) {
    const std::string gate = "a = Div(x, root) b = Erf(a) c = Add(b, one) ";
    EXPECT_EQ(recognized(gate + "d = Mul(x, c) y = Mul(d, half)"), "Gelu");
    EXPECT_EQ(recognized(gate + "d = Mul(half, x) y = Mul(d, c)"), "Gelu");
    EXPECT_EQ(recognized(gate + "d = Mul(half, c) y = Mul(x, d)"), "Gelu");
    EXPECT_EQ(recognized("a = Mul(inverse, x) b = Erf(a) c = Add(one, b) d = Mul(half, x) "
                         "y = Mul(c, d)"),
              "Gelu");
}

TEST(RecognizeActivations, GeluOfTanhHoweverItsCubeIsWritten) {
    for (const char *cube :
         {"c = Pow(x, three) t = Mul(cubic, c)", "s = Mul(x, x) c = Mul(x, s) t = Mul(c, cubic)",
          "a = Mul(cubic, x) c = Mul(a, x) t = Mul(c, x)"}) {
        const Graph graph = only_recognized(
            cube + std::string(" u = Add(x, t) v = Mul(slope, u) w = Tanh(v) g = Add(w, one) "
                               "h = Mul(half, x) y = Mul(h, g)"));
        ASSERT_EQ(operators(graph), "Gelu") << cube;
        EXPECT_EQ(graph.nodes[0].text("approximate", ""), "tanh");
    }
}

TEST(RecognizeActivations, WhatIsAlmostGeluOfTanhStays) {
    const std::string gate = " u = Add(x, t) v = Mul(slope, u) w = Tanh(v) g = Add(w, one) "
                             "h = Mul(half, x) y = Mul(h, g)";
    const std::string rest = " Add Mul Tanh Add Mul Mul";
    EXPECT_EQ(recognized("c = Pow(x, three) t = Mul(half, c)" + gate), "Pow Mul" + rest);
    EXPECT_EQ(recognized("c = Mul(x, x) t = Mul(cubic, c)" + gate), "Mul Mul" + rest);
    EXPECT_EQ(recognized("c = Pow(x, three) t = Mul(c, c)" + gate), "Pow Mul" + rest);
}

TEST(RecognizeActivations, WhatIsAlmostGeluStays) {
    EXPECT_EQ(recognized("a = Div(x, half) b = Erf(a) c = Add(b, one) d = Mul(x, c) "
                         "y = Mul(d, half)"),
              "Div Erf Add Mul Mul");
    EXPECT_EQ(recognized("a = Div(root, x) b = Erf(a) c = Add(b, one) d = Mul(x, c) "
                         "y = Mul(d, half)"),
              "Div Erf Add Mul Mul");
}

}  // namespace
}  // namespace emulsion::test
