#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

// With an offset whose exp is no float.
TEST(Softmax, EqualsPlainLoops) {
    test_along_axis(
        "Softmax",
        [](const std::vector<double> &values) {
            std::vector<double> result;
            for (const double value : values) {
                double sum = 0.0;
                for (const double other : values) {
                    sum += std::exp(other - value);
                }
                result.push_back(1.0 / sum);
            }
            return result;
        },
        512.0);
}

// As attention masks have it.
TEST(Softmax, MinusInfinityGetsNothing) {
    const double masked = -std::numeric_limits<double>::infinity();
    for (const DataType type : {DataType::F32, DataType::F64}) {
        OperatorCase test("Softmax");
        test.input(TestTensor({2, 4}, type, {masked, 1, 1, masked, masked, masked, masked, -5}));
        test.expect(TestTensor({2, 4}, type, {0, 0.5, 0.5, 0, 0, 0, 0, 1}));
    }
}

TEST(Softmax, RefusalsNameTheCause) { test_along_axis_refusals("Softmax"); }

}  // namespace
}  // namespace emulsion
