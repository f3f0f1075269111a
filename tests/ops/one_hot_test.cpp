#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(OneHot, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(0, 3));
        const TestTensor indices = random.tensor(
            random.shape(rank, 4), random.choose({DataType::I64, DataType::I32, DataType::U8}));
        const int64_t depth = random.integer(1, 7);
        const TestTensor values = random.tensor({2}, any_type(random));
        const int64_t axis = random.integer(0, rank);
        OperatorCase test("OneHot");
        if (axis != rank || random.flip()) {
            test.attribute("axis", either_end(random, axis, rank + 1));
        }
        test.input(indices);
        test.constant(TestTensor(random.flip() ? std::vector<int64_t>{} : std::vector<int64_t>{1},
                                 random.choose({DataType::I64, DataType::F32}),
                                 {static_cast<double>(depth)}));
        test.input(values);
        std::vector<int64_t> shape = indices.shape;
        shape.insert(shape.begin() + axis, depth);
        TestTensor y(shape, values.type);
        for_each_coordinate(shape, [&](const Coordinates &at) {
            Coordinates where = at;
            where.erase(where.begin() + axis);
            const auto index = static_cast<int64_t>(indices.at(where));
            const int64_t here = at[static_cast<size_t>(axis)];
            y.at(at) = values.values[index == here || index + depth == here ? 1 : 0];
        });
        test.expect(y);
    });
}

TEST(OneHot, RefusalsNameTheOperand) {
    for (const double depth : {0.0, -1.0, 4294967296.0}) {
        OperatorCase test("OneHot");
        test.input(TestTensor({2}, DataType::F32));
        test.constant(TestTensor({}, DataType::F64, {depth}));
        test.input(TestTensor({2}, DataType::F32));
        test.expect_refused("operand depth", {2, 1});
    }
    OperatorCase values("OneHot");
    values.input(TestTensor({2}, DataType::F32));
    values.constant(TestTensor({}, DataType::I64, {3}));
    values.input(TestTensor({3}, DataType::F32));
    values.expect_refused("operand 2", {2, 3});
}

}  // namespace
}  // namespace emulsion
