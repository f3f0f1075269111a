#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Gelu, EqualsPlainLoops) {
    test_unary({.type = "Gelu", .types = kTestedFloats, .function = [](double x) {
                    return x / 2.0 * (1.0 + std::erf(x / std::sqrt(2.0)));
                }});
}

TEST(Gelu, WithTanhEqualsPlainLoops) {
    test_unary(
        {.type = "Gelu",
         .types = kTestedFloats,
         .function =
             [](double x) {
                 return x / 2.0 *
                        (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
             },
         .prepare =
             [](OperatorCase &test) { test.attribute("approximate", std::string("tanh")); }});
}

TEST(Gelu, StaysRightFarFromZero) {
    test_values("Gelu", DataType::F32, {kNan, -1e30, kInfinity, 1048576.0},
                {kNan, 0.0, kInfinity, 1048576.0});
    test_values("Gelu", DataType::F32, {kNan, -1e30, kInfinity, 1048576.0},
                {kNan, 0.0, kInfinity, 1048576.0},
                [](OperatorCase &test) { test.attribute("approximate", std::string("tanh")); });
}

TEST(Gelu, RefusesOtherApproximations) {
    OperatorCase test("Gelu");
    test.attribute("approximate", std::string("linear"));
    test.input(TestTensor({2}, DataType::F32));
    test.expect_refused("approximate", {2});
}

TEST(Gelu, RefusalNamesTheType) { test_unary_refusal("Gelu", DataType::I32); }

}  // namespace
}  // namespace emulsion
