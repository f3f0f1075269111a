#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(HardSigmoid, EqualsPlainLoopsByDefault) {
    const double alpha = 0.2;
    const double beta = 0.5;
    test_unary({.type = "HardSigmoid", .types = kTestedFloats, .function = [&](double x) {
                    return std::clamp(alpha * x + beta, 0.0, 1.0);
                }});
}

TEST(HardSigmoid, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const double alpha = static_cast<double>(random.integer(-12, 12)) / 8.0;
        const double beta = static_cast<double>(random.integer(-8, 8)) / 8.0;
        const TestTensor x = random.tensor(random.shape(2, 6), type);
        OperatorCase test("HardSigmoid");
        test.attribute("alpha", alpha);
        test.attribute("beta", beta);
        test.input(x);
        test.expect(map(x, [&](double x) { return std::clamp(alpha * x + beta, 0.0, 1.0); }));
    });
}

TEST(HardSigmoid, RefusalNamesTheType) { test_unary_refusal("HardSigmoid", DataType::I32); }

}  // namespace
}  // namespace emulsion
