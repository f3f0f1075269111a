#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Celu, EqualsPlainLoopsByDefault) {
    const double alpha = 1.0;
    test_unary({.type = "Celu", .types = kTestedFloats, .function = [&](double x) {
                    return std::max(x, 0.0) + std::min(alpha * std::expm1(x / alpha), 0.0);
                }});
}

TEST(Celu, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const double alpha = static_cast<double>(random.integer(4, 12)) / 8.0;
        const TestTensor x = random.tensor(random.shape(2, 6), type);
        OperatorCase test("Celu");
        test.attribute("alpha", alpha);
        test.input(x);
        test.expect(map(x, [&](double x) {
            return std::max(x, 0.0) + std::min(alpha * std::expm1(x / alpha), 0.0);
        }));
    });
}

TEST(Celu, RefusesToDivideByZero) {
    OperatorCase test("Celu");
    test.attribute("alpha", 0.0);
    test.input(TestTensor({2}, DataType::F32));
    test.expect_refused("alpha", {2});
}

TEST(Celu, RefusalNamesTheType) { test_unary_refusal("Celu", DataType::I32); }

}  // namespace
}  // namespace emulsion
