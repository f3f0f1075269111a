
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(LeakyRelu, EqualsPlainLoopsByDefault) {
    const double alpha = 0.01;
    test_unary({.type = "LeakyRelu", .types = kTestedFloats, .function = [&](double x) {
                    return x < 0.0 ? alpha * x : x;
                }});
}

TEST(LeakyRelu, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const double alpha = static_cast<double>(random.integer(-12, 12)) / 8.0;
        const TestTensor x = random.tensor(random.shape(2, 6), type);
        OperatorCase test("LeakyRelu");
        test.attribute("alpha", alpha);
        test.input(x);
        test.expect(map(x, [&](double x) { return x < 0.0 ? alpha * x : x; }));
    });
}

TEST(LeakyRelu, RefusalNamesTheType) { test_unary_refusal("LeakyRelu", DataType::I32); }

}  // namespace
}  // namespace emulsion
