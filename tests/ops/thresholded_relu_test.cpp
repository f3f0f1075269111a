
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(ThresholdedRelu, EqualsPlainLoopsByDefault) {
    const double alpha = 1.0;
    test_unary({.type = "ThresholdedRelu", .types = kTestedFloats, .function = [&](double x) {
                    return x > alpha ? x : 0.0;
                }});
}

TEST(ThresholdedRelu, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const double alpha = static_cast<double>(random.integer(-8, 8)) / 8.0;
        const TestTensor x = random.tensor(random.shape(2, 6), type);
        OperatorCase test("ThresholdedRelu");
        test.attribute("alpha", alpha);
        test.input(x);
        test.expect(map(x, [&](double x) { return x > alpha ? x : 0.0; }));
    });
}

TEST(ThresholdedRelu, RefusalNamesTheType) { test_unary_refusal("ThresholdedRelu", DataType::I32); }

}  // namespace
}  // namespace emulsion
