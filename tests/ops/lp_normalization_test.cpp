#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

TEST(LpNormalization, EqualsPlainLoops) {
    for (const int64_t p : {1, 2}) {
        test_along_axis(
            "LpNormalization",
            [&](const std::vector<double> &values) {
                double sum = 0.0;
                for (const double value : values) {
                    sum += p == 1 ? std::abs(value) : value * value;
                }
                const double norm = p == 1 ? sum : std::sqrt(sum);
                std::vector<double> result;
                for (const double value : values) {
                    result.push_back(norm == 0.0 ? 0.0 : value / norm);
                }
                return result;
            },
            0.0, [&](OperatorCase &test) { test.attribute("p", p); });
    }
}

TEST(LpNormalization, ZerosStayZeros) {
    OperatorCase test("LpNormalization");
    test.input(TestTensor({2, 2}, DataType::F32, {0, 0, 3, 4}));
    test.expect(TestTensor({2, 2}, DataType::F32, {0, 0, 0.6, 0.8}));
}

TEST(LpNormalization, RefusalsNameTheCause) {
    test_along_axis_refusals("LpNormalization");
    OperatorCase power("LpNormalization");
    power.input(TestTensor({2, 3}, DataType::F32));
    power.attribute("p", int64_t{3});
    power.expect_refused("attribute p", {2, 3});
}

}  // namespace
}  // namespace emulsion
