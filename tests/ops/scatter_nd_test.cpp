#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(ScatterND, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 3));
        const TestTensor x = random.tensor(
            random.shape(rank, 4), random.choose({DataType::F32, DataType::I32, DataType::I64}));
        const int64_t coordinates = random.integer(1, rank);
        const std::vector<int64_t> outer = random.shape(static_cast<int>(random.integer(0, 2)), 3);
        std::vector<int64_t> index_shape = outer;
        index_shape.push_back(coordinates);
        TestTensor indices(index_shape, DataType::I64);
        for_each_coordinate(index_shape, [&](const Coordinates &at) {
            const int64_t extent = x.shape[static_cast<size_t>(at.back())];
            indices.at(at) = static_cast<double>(random.integer(-extent, extent - 1));
        });
        std::vector<int64_t> shape = outer;
        shape.insert(shape.end(), x.shape.begin() + coordinates, x.shape.end());
        const TestTensor updates = random.tensor(shape, x.type);
        const auto reduction = random.choose<std::string>({"none", "add", "min", "max"});
        OperatorCase test("ScatterND");
        test.attribute("reduction", reduction);
        test.input(x);
        test.input(indices);
        test.input(updates);
        TestTensor y = x;
        for_each_coordinate(shape, [&](const Coordinates &at) {
            const auto tail = at.begin() + static_cast<ptrdiff_t>(outer.size());
            Coordinates to;
            for (int64_t k = 0; k < coordinates; k++) {
                Coordinates where(at.begin(), tail);
                where.push_back(k);
                to.push_back(from_start(indices.at(where), x.shape[static_cast<size_t>(k)]));
            }
            to.insert(to.end(), tail, at.end());
            y.at(to) = combined(reduction, y.at(to), updates.at(at));
        });
        test.expect(y);
    });
}

TEST(ScatterND, RefusalsNameTheCause) {
    OperatorCase indices("ScatterND");
    indices.input(TestTensor({3, 2}, DataType::F32));
    indices.input(TestTensor({2, 3}, DataType::I64));
    indices.input(TestTensor({2}, DataType::F32));
    indices.expect_refused("operand 1", {3, 2});

    OperatorCase updates("ScatterND");
    updates.input(TestTensor({3, 2}, DataType::F32));
    updates.input(TestTensor({2, 1}, DataType::I64));
    updates.input(TestTensor({2}, DataType::F32));
    updates.expect_refused("operand 2", {3, 2});

    OperatorCase type("ScatterND");
    type.attribute("reduction", std::string("add"));
    type.input(TestTensor({3, 2}, DataType::Bool));
    type.input(TestTensor({2, 2}, DataType::I64));
    type.input(TestTensor({2}, DataType::Bool));
    type.expect_refused("bool", {3, 2});
}

}  // namespace
}  // namespace emulsion
