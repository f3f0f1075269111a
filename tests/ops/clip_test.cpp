#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Clip, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose(
            {DataType::F32, DataType::F64, DataType::I8, DataType::I16, DataType::I32,
             DataType::I64, DataType::U8, DataType::U16, DataType::U32, DataType::U64});
        const TestTensor x =
            random.tensor(random.shape(static_cast<int>(random.integer(0, 4)), 5), type);
        const TestTensor lowest = random.tensor({}, type);
        const TestTensor highest = random.tensor({}, type);
        const bool has_lowest = random.flip();
        const bool has_highest = random.flip();
        OperatorCase test("Clip");
        test.input(x);
        // Limits that are known and limits that the network computes; shape [1] for a scalar, too.
        const auto limit = [&](const TestTensor &value) {
            const TestTensor operand = random.flip() ? value : TestTensor({1}, type, value.values);
            random.flip() ? test.constant(operand) : test.input(operand);
        };
        if (has_lowest) {
            limit(lowest);
        } else if (has_highest) {
            test.absent_input();
        }
        if (has_highest) {
            limit(highest);
        }
        test.expect(map(x, [&](double value) {
            value = has_lowest ? std::max(value, lowest.at({})) : value;
            return has_highest ? std::min(value, highest.at({})) : value;
        }));
    });
}

TEST(Clip, KeepsLargeIntegerLimitsExact) {
    OperatorCase test("Clip");
    test.input(TestTensor({2}, DataType::I64, {0.0, 9.0e18}));
    test.constant(TestTensor({}, DataType::I64, {-5.0}));
    test.constant(TestTensor({}, DataType::I64, {4611686018427387904.0}));  // 2^62
    test.expect(TestTensor({2}, DataType::I64, {0.0, 4611686018427387904.0}));
}

TEST(Clip, RefusalsNameTheOperand) {
    OperatorCase list("Clip");
    list.input(TestTensor({2}, DataType::F32));
    list.absent_input();
    list.constant(TestTensor({2}, DataType::F32));
    list.expect_refused("scalar", {2});

    OperatorCase type("Clip");
    type.input(TestTensor({2}, DataType::F32));
    type.constant(TestTensor({}, DataType::F64));
    type.expect_refused("f64", {2});
}

}  // namespace
}  // namespace emulsion
