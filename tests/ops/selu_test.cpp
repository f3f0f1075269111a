#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Selu, EqualsPlainLoopsByDefault) {
    const double alpha = 1.67326319217681884765625;
    const double gamma = 1.05070102214813232421875;
    test_unary({.type = "Selu", .types = kTestedFloats, .function = [&](double x) {
                    return gamma * (x < 0.0 ? alpha * std::expm1(x) : x);
                }});
}

TEST(Selu, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const double alpha = static_cast<double>(random.integer(-12, 12)) / 8.0;
        const double gamma = static_cast<double>(random.integer(-12, 12)) / 8.0;
        const TestTensor x = random.tensor(random.shape(2, 6), type);
        OperatorCase test("Selu");
        test.attribute("alpha", alpha);
        test.attribute("gamma", gamma);
        test.input(x);
        test.expect(
            map(x, [&](double x) { return gamma * (x < 0.0 ? alpha * std::expm1(x) : x); }));
    });
}

TEST(Selu, RefusalNamesTheType) { test_unary_refusal("Selu", DataType::I32); }

}  // namespace
}  // namespace emulsion
