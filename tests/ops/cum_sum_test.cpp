#include <gtest/gtest.h>

#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

TEST(CumSum, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(1, 5));
        const TestTensor x = random.tensor(
            random.shape(rank, 5), random.choose({DataType::F32, DataType::F64, DataType::I32,
                                                  DataType::I64, DataType::U32, DataType::U64}));
        const int64_t axis = random.integer(-rank, rank - 1);
        const auto a = static_cast<size_t>(axis < 0 ? axis + rank : axis);
        const bool exclusive = random.flip();
        const bool reverse = random.flip();
        TestTensor y(x.shape, x.type);
        for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
            std::vector<int64_t> other = at;
            for (other[a] = 0; other[a] < x.shape[a]; other[a]++) {
                const int64_t ahead = reverse ? other[a] - at[a] : at[a] - other[a];
                y.at(at) += ahead > 0 || (ahead == 0 && !exclusive) ? x.at(other) : 0.0;
            }
        });
        OperatorCase test("CumSum");
        test.input(x);
        const std::vector<int64_t> scalar;
        test.constant(TestTensor(random.flip() ? scalar : std::vector<int64_t>{1},
                                 random.choose({DataType::I32, DataType::I64}),
                                 {static_cast<double>(axis)}));
        if (exclusive || random.flip()) {
            test.attribute("exclusive", int64_t{exclusive ? 1 : 0});
        }
        if (reverse || random.flip()) {
            test.attribute("reverse", int64_t{reverse ? 1 : 0});
        }
        test.expect(y);
    });
}

TEST(CumSum, RefusalsNameTheCause) {
    const auto with_axis = [](DataType type, std::vector<double> axis) {
        OperatorCase test("CumSum");
        test.input(TestTensor({2, 3}, type));
        const auto count = static_cast<int64_t>(axis.size());
        test.constant(TestTensor({count}, DataType::I64, std::move(axis)));
        return test;
    };
    with_axis(DataType::F32, {2}).expect_refused("operand axis", {2, 3});
    with_axis(DataType::F32, {0, 1}).expect_refused("one number", {2, 3});
    with_axis(DataType::I8, {0}).expect_refused("i8", {2, 3});

    OperatorCase variable("CumSum");
    variable.input(TestTensor({2, 3}, DataType::F32));
    variable.input(TestTensor({}, DataType::I64));
    variable.expect_refused("operand 1", {2, 3});

    OperatorCase missing("CumSum");
    missing.input(TestTensor({2, 3}, DataType::F32));
    missing.expect_refused("axis", {2, 3});
}

}  // namespace
}  // namespace emulsion
