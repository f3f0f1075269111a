#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Div, OfRealsEqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const std::vector<int64_t> shape = random.shape(3, 4);
        const TestTensor a = random.tensor(shape, type);
        const TestTensor b = random.tensor(shape, type, 0.5, 4.0);
        TestTensor c = a;
        for (size_t i = 0; i < c.values.size(); i++) {
            c.values[i] /= b.values[i];
        }
        OperatorCase test("Div");
        test.input(a);
        test.input(b);
        test.expect(c);
    });
}

TEST(Div, OfIntegersIsRoundedTowardsZeroAndNeverTraps) {
    test_binary({.type = "Div", .types = kTestedIntegers, .function = [](double a, double b) {
                     return b == 0.0 ? 0.0 : std::trunc(a / b);
                 }});
}

TEST(Div, OfTheLowestIntegerByMinusOneWrapsAround) {
    test_pairs("Div", DataType::I8, {-128.0, -128.0}, {-1.0, 1.0}, {-128.0, -128.0});
    test_pairs("Div", DataType::I32, {-2147483648.0, -7.0}, {-1.0, 2.0}, {-2147483648.0, -3.0});
    test_pairs("Div", DataType::I64, {-9223372036854775808.0, 7.0}, {-1.0, 0.0},
               {-9223372036854775808.0, 0.0});
}

TEST(Div, OfRealsByZeroIsInfinite) {
    test_pairs("Div", DataType::F32, {1.0, -1.0, 0.0}, {0.0, 0.0, 0.0},
               {kInfinity, -kInfinity, kNan});
}

TEST(Div, RefusalsNameTheCause) { test_binary_refusals("Div", DataType::F32, DataType::Bool); }

}  // namespace
}  // namespace emulsion
