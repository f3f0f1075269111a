#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Elu, EqualsPlainLoopsByDefault) {
    const double alpha = 1.0;
    test_unary({.type = "Elu", .types = kTestedFloats, .function = [&](double x) {
                    return x < 0.0 ? alpha * std::expm1(x) : x;
                }});
}

TEST(Elu, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const double alpha = static_cast<double>(random.integer(-12, 12)) / 8.0;
        const TestTensor x = random.tensor(random.shape(2, 6), type);
        OperatorCase test("Elu");
        test.attribute("alpha", alpha);
        test.input(x);
        test.expect(map(x, [&](double x) { return x < 0.0 ? alpha * std::expm1(x) : x; }));
    });
}

TEST(Elu, RefusalNamesTheType) { test_unary_refusal("Elu", DataType::I32); }

}  // namespace
}  // namespace emulsion
