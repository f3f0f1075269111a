#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(GatherND, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 4));
        const TestTensor x = random.tensor(random.shape(rank, 4), any_type(random));
        const int64_t batch = random.integer(0, rank - 1);
        const int64_t coordinates = random.integer(1, rank - batch);
        std::vector<int64_t> index_shape(x.shape.begin(), x.shape.begin() + batch);
        const std::vector<int64_t> middle = random.shape(static_cast<int>(random.integer(0, 2)), 3);
        index_shape.insert(index_shape.end(), middle.begin(), middle.end());
        const std::vector<int64_t> outer = index_shape;
        index_shape.push_back(coordinates);
        TestTensor indices(index_shape, DataType::I64);
        for_each_coordinate(index_shape, [&](const Coordinates &at) {
            const int64_t extent = x.shape[static_cast<size_t>(batch + at.back())];
            indices.at(at) = static_cast<double>(random.integer(-extent, extent - 1));
        });
        std::vector<int64_t> shape = outer;
        shape.insert(shape.end(), x.shape.begin() + batch + coordinates, x.shape.end());
        OperatorCase test("GatherND");
        test.attribute("batch_dims", batch);
        test.input(x);
        test.input(indices);
        test.expect(moved(x, shape, [&](const Coordinates &at) {
            const auto tail = at.begin() + static_cast<ptrdiff_t>(outer.size());
            Coordinates from(at.begin(), at.begin() + batch);
            for (int64_t k = 0; k < coordinates; k++) {
                Coordinates where(at.begin(), tail);
                where.push_back(k);
                from.push_back(
                    from_start(indices.at(where), x.shape[static_cast<size_t>(batch + k)]));
            }
            from.insert(from.end(), tail, at.end());
            return from;
        }));
    });
}

TEST(GatherND, RefusalsNameTheCause) {
    OperatorCase coordinates("GatherND");
    coordinates.input(TestTensor({3, 2}, DataType::F32));
    coordinates.input(TestTensor({2, 3}, DataType::I64));
    coordinates.expect_refused("operand 1", {2});

    OperatorCase batch("GatherND");
    batch.attribute("batch_dims", int64_t{1});
    batch.input(TestTensor({3, 2}, DataType::F32));
    batch.input(TestTensor({2, 1}, DataType::I64));
    batch.expect_refused("batch_dims", {2});

    OperatorCase range("GatherND");
    range.attribute("batch_dims", int64_t{2});
    range.input(TestTensor({3, 2}, DataType::F32));
    range.input(TestTensor({3, 2}, DataType::I64));
    range.expect_refused("batch_dims is 2", {2});
}

}  // namespace
}  // namespace emulsion
