#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Relu, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const TestTensor x =
            random.tensor(random.shape(static_cast<int>(random.integer(0, 5)), 4),
                          random.choose({DataType::F32, DataType::F64, DataType::I8, DataType::I16,
                                         DataType::I32, DataType::I64}));
        OperatorCase test("Relu");
        test.input(x);
        test.expect(map(x, [](double value) { return std::max(value, 0.0); }));
    });
}

TEST(Relu, RefusesUnsignedTypes) {
    OperatorCase test("Relu");
    test.input(TestTensor({2}, DataType::U8));
    test.expect_refused("u8", {2});
}

}  // namespace
}  // namespace emulsion
