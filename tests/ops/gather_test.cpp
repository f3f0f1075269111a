#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Gather, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 3));
        const TestTensor x = random.tensor(random.shape(rank, 4), any_type(random));
        const auto axis = random.integer(0, rank - 1);
        const auto a = static_cast<size_t>(axis);
        const auto index_rank = static_cast<int>(random.integer(0, 2));
        const TestTensor indices = random_indices(random, random.shape(index_rank, 3), x.shape[a]);
        std::vector<int64_t> shape = x.shape;
        shape.erase(shape.begin() + axis);
        shape.insert(shape.begin() + axis, indices.shape.begin(), indices.shape.end());
        OperatorCase test("Gather");
        test.attribute("axis", either_end(random, axis, rank));
        test.input(x);
        test.input(indices);
        test.expect(moved(x, shape, [&](const Coordinates &at) {
            const auto first = at.begin() + axis;
            Coordinates from = at;
            from.erase(from.begin() + axis, from.begin() + axis + index_rank);
            from.insert(from.begin() + axis,
                        from_start(indices.at({first, first + index_rank}), x.shape[a]));
            return from;
        }));
    });
}

// Whatever a model's user puts there, nothing outside of the tensor is read.
TEST(Gather, WrongIndicesReadTheNearestElement) {
    OperatorCase test("Gather");
    test.input(TestTensor({3}, DataType::F32, {10, 11, 12}));
    test.input(TestTensor({5}, DataType::I64, {-4, 3, 9e18, -9e18, 4294967296.0}));
    test.expect(TestTensor({5}, DataType::F32, {10, 12, 12, 10, 12}));
}

TEST(Gather, RefusalsNameTheCause) {
    OperatorCase type("Gather");
    type.input(TestTensor({3}, DataType::F32));
    type.input(TestTensor({2}, DataType::F32));
    type.expect_refused("operand 1", {2});

    OperatorCase axis("Gather");
    axis.attribute("axis", int64_t{1});
    axis.input(TestTensor({3}, DataType::F32));
    axis.input(TestTensor({2}, DataType::I64));
    axis.expect_refused("attribute axis", {2});
}

}  // namespace
}  // namespace emulsion
