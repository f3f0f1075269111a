#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Concat, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 4));
        const DataType type = any_type(random);
        std::vector<int64_t> shape = random.shape(rank, 4);
        const auto axis = random.integer(0, rank - 1);
        const auto a = static_cast<size_t>(axis);
        shape[a] = 0;
        OperatorCase test("Concat");
        test.attribute("axis", either_end(random, axis, rank));
        std::vector<TestTensor> parts;
        for (int64_t i = random.integer(1, 4); i > 0; i--) {
            std::vector<int64_t> part = shape;
            part[a] = random.integer(1, 4);
            parts.push_back(random.tensor(part, type));
            test.input(parts.back());
        }
        for (const TestTensor &part : parts) {
            shape[a] += part.shape[a];
        }
        TestTensor y(shape, type);
        for_each_coordinate(shape, [&](const Coordinates &at) {
            Coordinates from = at;
            size_t part = 0;
            for (; from[a] >= parts[part].shape[a]; part++) {
                from[a] -= parts[part].shape[a];
            }
            y.at(at) = parts[part].at(from);
        });
        test.expect(y);
    });
}

TEST(Concat, RefusalsNameTheCause) {
    const TestTensor x({2, 3}, DataType::F32);
    OperatorCase axis("Concat");
    axis.input(x);
    axis.expect_refused("axis is missing", {2, 3});

    OperatorCase range("Concat");
    range.attribute("axis", int64_t{2});
    range.input(x);
    range.expect_refused("attribute axis is 2", {2, 3});

    OperatorCase shape("Concat");
    shape.attribute("axis", int64_t{0});
    shape.input(x);
    shape.input(TestTensor({2, 4}, DataType::F32));
    shape.expect_refused("operand 1", {4, 3});

    OperatorCase type("Concat");
    type.attribute("axis", int64_t{0});
    type.input(x);
    type.input(TestTensor({2, 3}, DataType::I32));
    type.expect_refused("i32", {4, 3});
}

}  // namespace
}  // namespace emulsion
