#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(ScatterElements, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 3));
        const TestTensor x = random.tensor(
            random.shape(rank, 4), random.choose({DataType::F32, DataType::I32, DataType::I64}));
        const auto axis = random.integer(0, rank - 1);
        const auto a = static_cast<size_t>(axis);
        std::vector<int64_t> shape = x.shape;
        for (int64_t &extent : shape) {
            extent = random.integer(1, extent);
        }
        const TestTensor indices = random_indices(random, shape, x.shape[a]);
        const TestTensor updates = random.tensor(shape, x.type);
        const auto reduction = random.choose<std::string>({"none", "add", "min", "max"});
        OperatorCase test("ScatterElements");
        test.attribute("axis", either_end(random, axis, rank));
        test.attribute("reduction", reduction);
        test.input(x);
        test.input(indices);
        test.input(updates);
        TestTensor y = x;
        for_each_coordinate(shape, [&](const Coordinates &at) {
            Coordinates to = at;
            to[a] = from_start(indices.at(at), x.shape[a]);
            y.at(to) = combined(reduction, y.at(to), updates.at(at));
        });
        test.expect(y);
    });
}

TEST(ScatterElements, WrongIndicesWriteNothingOutside) {
    OperatorCase test("ScatterElements");
    test.input(TestTensor({3}, DataType::F32, {1, 2, 3}));
    test.input(TestTensor({2}, DataType::I64, {9e18, -9e18}));
    test.input(TestTensor({2}, DataType::F32, {8, 9}));
    test.expect(TestTensor({3}, DataType::F32, {9, 2, 8}));
}

TEST(ScatterElements, RefusalsNameTheCause) {
    const TestTensor x({3, 2}, DataType::F32);
    OperatorCase reduction("ScatterElements");
    reduction.attribute("reduction", std::string("mean"));
    reduction.input(x);
    reduction.input(TestTensor({1, 2}, DataType::I64));
    reduction.input(TestTensor({1, 2}, DataType::F32));
    reduction.expect_refused("mean", {3, 2});

    OperatorCase shape("ScatterElements");
    shape.input(x);
    shape.input(TestTensor({1, 3}, DataType::I64));
    shape.input(TestTensor({1, 3}, DataType::F32));
    shape.expect_refused("operand 1", {3, 2});

    OperatorCase updates("ScatterElements");
    updates.input(x);
    updates.input(TestTensor({1, 2}, DataType::I64));
    updates.input(TestTensor({2, 2}, DataType::F32));
    updates.expect_refused("operand 2", {3, 2});
}

}  // namespace
}  // namespace emulsion
