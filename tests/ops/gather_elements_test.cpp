#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(GatherElements, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 4));
        const TestTensor x = random.tensor(random.shape(rank, 4), any_type(random));
        const auto axis = random.integer(0, rank - 1);
        const auto a = static_cast<size_t>(axis);
        std::vector<int64_t> shape = x.shape;
        for (int64_t &extent : shape) {
            extent = random.integer(1, extent);
        }
        shape[a] = random.integer(1, 6);
        const TestTensor indices = random_indices(random, shape, x.shape[a]);
        OperatorCase test("GatherElements");
        test.attribute("axis", either_end(random, axis, rank));
        test.input(x);
        test.input(indices);
        test.expect(moved(x, shape, [&](const Coordinates &at) {
            Coordinates from = at;
            from[a] = from_start(indices.at(at), x.shape[a]);
            return from;
        }));
    });
}

TEST(GatherElements, RefusalsNameTheCause) {
    OperatorCase shape("GatherElements");
    shape.input(TestTensor({3, 2}, DataType::F32));
    shape.input(TestTensor({2, 3}, DataType::I64));
    shape.expect_refused("operand 1", {2, 3});

    OperatorCase rank("GatherElements");
    rank.input(TestTensor({3, 2}, DataType::F32));
    rank.input(TestTensor({2}, DataType::I64));
    rank.expect_refused("rank 1", {2});
}

}  // namespace
}  // namespace emulsion
