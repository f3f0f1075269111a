#include "frontend/onnx/infer_types.h"

#include <gtest/gtest.h>

#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

using Sizes = std::vector<int64_t>;

// ONNX infers no types for these; nothing declares them inside of a network.
TEST(InferTypes, OperatorsWithoutAnInferenceOfTheirOwnMayStandInsideOfANetwork) {
    const Graph group = load(R"(agraph (float[1,4,3,3] x) => (float[1,4,3,3] y)
        <float[4] s = {1, 2, 3, 4}, float[4] b = {0, 0, 0, 0}>
        { t = GroupNormalization <num_groups = 2> (x, s, b)
          y = Relu(t) })",
                             21);
    EXPECT_EQ(tensor(group, "t").extents(), (Sizes{1, 4, 3, 3}));
    const Graph channels = load(R"(agraph (float[1,4,3,3] x) => (float[1,4,3,3] y)
        { t = MeanVarianceNormalization <axes = [0, 2, 3]> (x)
          y = Relu(t) })",
                                13);
    EXPECT_EQ(tensor(channels, "t").extents(), (Sizes{1, 4, 3, 3}));
    for (const char *type : {"GreaterOrEqual", "LessOrEqual"}) {
        const Graph compared =
            load("agraph (float[2,1] a, float[3] b) => (bool[2,3] y) { t = " + std::string(type) +
                     "(a, b) y = Not(t) }",
                 12);
        EXPECT_EQ(tensor(compared, "t").extents(), (Sizes{2, 3})) << type;
        EXPECT_EQ(tensor(compared, "t").type, DataType::Bool) << type;
    }
}

}  // namespace
}  // namespace emulsion::test
