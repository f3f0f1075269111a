#include "frontend/graph/value_bounds.h"

#include <gtest/gtest.h>

#include "tests/frontend/models.h"

namespace emulsion {
namespace {

using test::load;

// Of the only input.
ValueBounds bounds_of_input(const std::string &graph) {
    const Graph loaded = load(graph);
    return value_bounds(loaded).at(static_cast<size_t>(loaded.inputs.at(0)));
}

void expect_bounds(int64_t low, int64_t high, const std::string &graph) {
    const ValueBounds bounds = bounds_of_input(graph);
    EXPECT_EQ(low, bounds.low) << graph;
    EXPECT_EQ(high, bounds.high) << graph;
}

TEST(ValueBounds, AnIndexIsInsideOfItsAxis) {
    expect_bounds(
        0, 2,
        "agraph (int64[2] i) => (float[2,4] y) <float[3,4] w = {0,1,2,3,4,5,6,7,8,9,10,11}> "
        "{ y = Gather(w, i) }");
    expect_bounds(
        0, 3,
        "agraph (int64[2] i) => (float[3,2] y) <float[3,4] w = {0,1,2,3,4,5,6,7,8,9,10,11}> "
        "{ y = Gather<axis = -1>(w, i) }");
}

TEST(ValueBounds, MovingAndConvertingKeepsBounds) {
    expect_bounds(
        0, 2,
        "agraph (int32[2,3] i) => (float[6,4] y) <float[3,4] w = {0,1,2,3,4,5,6,7,8,9,10,11}, "
        "int64[1] shape = {6}> "
        "{ l = Cast<to = 7>(i) f = Reshape(l, shape) y = Gather(w, f) }");
}

TEST(ValueBounds, TheNarrowestUseCounts) {
    expect_bounds(
        0, 1,
        "agraph (int64[2] i) => (float[2] y, float[2] z) <float[3] w = {0,1,2}, float[2] v = {0,1}> "
        "{ y = Gather(w, i) z = Gather(v, i) }");
}

TEST(ValueBounds, ArithmeticWithConstantsShiftsThem) {
    expect_bounds(1, 3,
                  "agraph (int64[2] i) => (float[2] y) <float[3] w = {0,1,2}, int64[1] one = {1}> "
                  "{ j = Sub(i, one) y = Gather(w, j) }");
}

TEST(ValueBounds, ADivisorIsPositive) {
    EXPECT_EQ(1, bounds_of_input(
                     "agraph (int64[2] d) => (int64[2] y) <int64[1] n = {7}> { y = Div(n, d) }")
                     .low);
}

TEST(ValueBounds, WithoutSuchAUseThereAreNone) {
    EXPECT_EQ(ValueBounds(),
              bounds_of_input("agraph (int64[2] x) => (int64[2] y) { y = Add(x, x) }"));
}

}  // namespace
}  // namespace emulsion
