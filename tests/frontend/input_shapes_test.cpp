// Sizes that a model leaves open, and the arithmetic on shapes that depends on them.
#include <gtest/gtest.h>

#include "frontend/onnx/loader.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

using Extents = std::vector<int64_t>;

const char *const kSymbols =
    R"(agraph (float[batch,3,h,w] x, float[batch] z) => (float[batch,3,h,w] y)
    { y = Relu(x)  r = Relu(z) })";

TEST(InputShapes, AreGivenByTheInputsName) {
    const Graph graph = load(model(kSymbols), {{"x", {2, 3, 8, 9}}});
    EXPECT_EQ(tensor(graph, "x").extents(), (Extents{2, 3, 8, 9}));
    EXPECT_EQ(tensor(graph, "z").extents(), (Extents{2})) << "one symbol has one size";
    EXPECT_EQ(tensor(graph, "y").extents(), (Extents{2, 3, 8, 9}));
}

TEST(InputShapes, AreGivenBySymbols) {
    const Graph graph = load(model(kSymbols), {{"batch", {4}}, {"h", {5}}, {"w", {6}}});
    EXPECT_EQ(tensor(graph, "y").extents(), (Extents{4, 3, 5, 6}));
}

TEST(InputShapes, ThatAreMissingAreListed) {
    const std::string text = refusal(model(kSymbols));
    expect_contains(text, "input 'x' has no fixed shape, batch x 3 x h x w");
    expect_contains(text, "--shape x=1x3x1x1");
    expect_contains(text, "--shape batch=1");
    expect_contains(text, "'z' (batch)");
    expect_contains(refusal(model(kSymbols), {{"batch", {1}}, {"h", {5}}}), "1 x 3 x 5 x w");
}

TEST(InputShapes, ThatContradictTheModelAreRefused) {
    expect_contains(refusal(model(kSymbols), {{"x", {1, 4, 8, 8}}}), "declares batch x 3 x h x w");
    expect_contains(refusal(model(kSymbols), {{"x", {1, 3, 8}}}), "declares batch x 3 x h x w");
    expect_contains(refusal(model(kSymbols), {{"x", {1, 3, 8, 8}}, {"batch", {2}}}), "two sizes");
    expect_contains(refusal(model(kSymbols), {{"q", {1}}}), "the inputs are 'x'");
    expect_contains(refusal(model(kSymbols), {{"batch", {1, 2}}}), "a symbol has one");
    expect_contains(refusal(model(kSymbols), {{"batch", {0}}}), "at least 1");
}

TEST(InputShapes, OfUnknownRankAreGivenWhole) {
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
    proto.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
    expect_contains(refusal(proto), "unknown rank");
    EXPECT_EQ(tensor(load(proto, {{"x", {3, 4}}}), "y").extents(), (Extents{3, 4}));
}

TEST(InputShapes, OutputsNeedNoDeclaredShape) {
    onnx::ModelProto proto = model("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    proto.mutable_graph()->mutable_output(0)->clear_type();
    EXPECT_EQ(tensor(load(proto), "y").extents(), (Extents{2}));
}

// view(x.size(0), -1), as PyTorch writes it.
TEST(ShapeArithmetic, OfFlattening) {
    const Graph graph = load(model(R"(agraph (float[batch,3,4,5] x) => (float[batch,n] y)
        <int64 zero = {0}, int64[1] front = {0}, int64[1] rest = {-1}>
        { s = Shape(x)
          g = Gather <axis = 0> (s, zero)
          u = Unsqueeze(g, front)
          t = Concat <axis = 0> (u, rest)
          y = Reshape(x, t) })"),
                             {{"batch", {2}}});
    EXPECT_EQ(operators(graph), "Reshape");
    EXPECT_EQ(tensor(graph, "y").extents(), (Extents{2, 60}));
}

// interpolate(x, scale_factor=2): sizes by Cast, Mul, Floor.
TEST(ShapeArithmetic, OfResizing) {
    const Graph graph = load(model(R"(agraph (float[1,2,h,w] x) => (float[1,2,a,b] y)
        <int64[1] two = {2}, int64[1] four = {4}, int64[1] front = {0}, float[2] factor = {2.0, 2.0},
         float[0] none = {}>
        { s = Shape(x)
          hw = Slice(s, two, four, front)
          f = Cast <to = 1> (hw)
          m = Mul(f, factor)
          l = Floor(m)
          i = Cast <to = 7> (l)
          nc = Slice(s, front, two, front)
          sizes = Concat <axis = 0> (nc, i)
          y = Resize <mode = "nearest"> (x, none, none, sizes) })"),
                             {{"h", {5}}, {"w", {7}}});
    EXPECT_EQ(operators(graph), "Resize");
    EXPECT_EQ(tensor(graph, "y").extents(), (Extents{1, 2, 10, 14}));
    EXPECT_EQ(graph.nodes[0].inputs[1], kNoTensor) << "an empty roi is an absent one";
}

// expand(n, -1, -1): -1 is replaced by the size that is there.
TEST(ShapeArithmetic, OfExpanding) {
    const Graph graph = load(model(R"(agraph (float[1,1,4] c, float[n] z) => (float[a,b,d] y)
        <int64 zero = {0}, int64[1] front = {0}, int64[1] keep = {-1}, int64[1] rank = {3}, int64 minus = {-1}>
        { s = Shape(z)
          g = Gather <axis = 0> (s, zero)
          u = Unsqueeze(g, front)
          t = Concat <axis = 0> (u, keep, keep)
          o = ConstantOfShape <value = int64[1] {1}> (rank)
          m = Mul(o, minus)
          e = Equal(t, m)
          w = Where(e, o, t)
          y = Expand(c, w) })"),
                             {{"n", {3}}});
    EXPECT_EQ(operators(graph), "Expand");
    EXPECT_EQ(tensor(graph, "y").extents(), (Extents{3, 1, 4}));
}

// F.pad(x, (1, 2)) of the TorchScript exporter: the list of pads grows to the rank, is turned around
// in pairs, and may be concatenated with nothing.
TEST(ShapeArithmetic, OfPadding) {
    const Graph graph = load(R"(agraph (float[2,5] x) => (float[a,b] y)
        <int64[2] given = {1, 2}, int64[1] missing = {2}, int64[2] pairs = {-1, 2}, int64[1] last = {-1},
         int64[1] lowest = {-9223372036854775807}, int64[1] front = {0}, int64[1] all = {-1}, float v = {0.0}>
        { zeros = ConstantOfShape <value = int64[1] {0}> (missing)
          c = Concat <axis = 0> (given, zeros)
          r = Reshape(c, pairs)
          back = Slice(r, last, lowest, front, last)
          t = Transpose <perm = [1, 0]> (back)
          f = Reshape(t, all)
          p = Cast <to = 7> (f)
          y = Pad <mode = "constant"> (x, p, v) })",
                             17);
    EXPECT_EQ(operators(graph), "Pad");
    EXPECT_EQ(tensor(graph, "y").extents(), (Extents{2, 8}));
}

TEST(ShapeArithmetic, ThatNeedsTheInputsValuesIsRefusedWhereItStarts) {
    const std::string text = refusal(R"(agraph (float[2,3] x, int64[2] s) => (float[a,b] y)
        { t = Relu(x)  [first] u = Reshape(t, s)  y = Relu(u) })");
    expect_contains(text, "node 'first' (#1, Reshape)");
    expect_contains(text, "can't be known before it is computed");
}

}  // namespace
}  // namespace emulsion::test
