#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(BitShift, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::U8, DataType::U16, DataType::U32});
        const bool left = random.flip();
        const TestTensor a = random.tensor({5, 3}, type, 0.0, 200.0);
        const TestTensor b = random.tensor({5, 3}, type, 0.0, 40.0);
        TestTensor c = a;
        const double bits = 8.0 * size_of(type);
        for (size_t i = 0; i < c.values.size(); i++) {
            const double shifted =
                left ? std::fmod(a.values[i] * std::exp2(b.values[i]), std::exp2(bits))
                     : std::floor(a.values[i] / std::exp2(b.values[i]));
            c.values[i] = b.values[i] >= bits ? 0.0 : shifted;
        }
        OperatorCase test("BitShift");
        test.attribute("direction", std::string(left ? "LEFT" : "RIGHT"));
        test.input(a);
        test.input(b);
        test.expect(c);
    });
}

TEST(BitShift, OfSignedNumbersKeepsTheSignToTheRight) {
    const std::vector<double> a = {-128, -3, 5, -3, 5, -3, 64};
    const std::vector<double> by = {1, 1, 1, 8, 8, -1, 1};
    for (const bool left : {false, true}) {
        OperatorCase test("BitShift");
        test.attribute("direction", std::string(left ? "LEFT" : "RIGHT"));
        test.input(TestTensor({7}, DataType::I8, a));
        test.input(TestTensor({7}, DataType::I8, by));
        test.expect(TestTensor({7}, DataType::I8,
                               left ? std::vector<double>{0, -6, 10, 0, 0, 0, -128}
                                    : std::vector<double>{-64, -2, 2, -1, 0, -1, 32}));
    }
}

TEST(BitShift, RefusesOtherDirections) {
    OperatorCase test("BitShift");
    test.attribute("direction", std::string("UP"));
    test.input(TestTensor({2}, DataType::U8));
    test.input(TestTensor({2}, DataType::U8));
    test.expect_refused("direction", {2});
}

TEST(BitShift, RefusalsNameTheCause) {
    test_binary_refusals("BitShift", DataType::U8, DataType::F32, [](OperatorCase &test) {
        test.attribute("direction", std::string("LEFT"));
    });
}

}  // namespace
}  // namespace emulsion
