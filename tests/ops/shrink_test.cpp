
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Shrink, EqualsPlainLoopsByDefault) {
    const double lambd = 0.5;
    const double bias = 0.0;
    test_unary({.type = "Shrink", .types = kTestedNumbers, .function = [&](double x) {
                    return x < -lambd ? x + bias : x > lambd ? x - bias : 0.0;
                }});
}

TEST(Shrink, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const double lambd = static_cast<double>(random.integer(0, 8)) / 8.0;
        const double bias = static_cast<double>(random.integer(-8, 8)) / 8.0;
        const TestTensor x = random.tensor(random.shape(2, 6), type);
        OperatorCase test("Shrink");
        test.attribute("lambd", lambd);
        test.attribute("bias", bias);
        test.input(x);
        test.expect(map(x, [&](double x) {
            return x < -lambd ? x + bias : x > lambd ? x - bias : 0.0;
        }));
    });
}

TEST(Shrink, RefusalNamesTheType) { test_unary_refusal("Shrink", DataType::Bool); }

}  // namespace
}  // namespace emulsion
