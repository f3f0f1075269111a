#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(MatMul, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type =
            random.choose({DataType::F32, DataType::F32, DataType::F32, DataType::F64,
                           DataType::I32, DataType::I64, DataType::U32, DataType::U64});
        const int64_t rows = random.integer(1, 5);
        const int64_t columns = random.integer(1, 5);
        const int64_t depth = random.integer(1, 5);
        // As matrices with batch axes; then perhaps a row or a column as a 1-D operand.
        const std::vector<int64_t> batch = random.shape(static_cast<int>(random.integer(0, 2)), 3);
        TestTensor a = random.tensor(random_broadcastable(random, batch), type);
        TestTensor b = random.tensor(random_broadcastable(random, batch), type);
        const bool vector_a = random.integer(0, 3) == 0;
        const bool vector_b = random.integer(0, 3) == 0;
        std::vector<int64_t> batch_a = vector_a ? std::vector<int64_t>{} : a.shape;
        std::vector<int64_t> batch_b = vector_b ? std::vector<int64_t>{} : b.shape;
        const auto with = [](std::vector<int64_t> shape, int64_t first, int64_t second) {
            shape.insert(shape.end(), {first, second});
            return shape;
        };
        a = random.tensor(with(batch_a, vector_a ? 1 : rows, depth), type);
        b = random.tensor(with(batch_b, depth, vector_b ? 1 : columns), type);

        if (batch_a.size() < batch_b.size()) {
            std::swap(batch_a, batch_b);
        }
        std::vector<int64_t> shape = batch_a;
        for (size_t i = 0; i < batch_b.size(); i++) {
            int64_t &extent = shape[batch_a.size() - batch_b.size() + i];
            extent = std::max(extent, batch_b[i]);
        }
        const size_t batch_rank = shape.size();
        TestTensor y(with(shape, vector_a ? 1 : rows, vector_b ? 1 : columns), type);
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            std::vector<int64_t> at_a = at;
            std::vector<int64_t> at_b = at;
            double sum = 0.0;
            for (int64_t k = 0; k < depth; k++) {
                at_a.back() = k;
                at_b[batch_rank] = k;
                sum += broadcast_at(a, at_a) * broadcast_at(b, at_b);
            }
            y.at(at) = sum;
        });
        if (vector_a) {
            a.shape = {depth};
            y.shape.erase(y.shape.end() - 2);
        }
        if (vector_b) {
            b.shape = {depth};
            y.shape.pop_back();
        }
        OperatorCase test("MatMul");
        test.input(a);
        test.input(b);
        test.expect(y);
    });
}

TEST(MatMul, RefusalsNameTheCause) {
    const auto product = [](const std::vector<int64_t> &a, const std::vector<int64_t> &b) {
        OperatorCase test("MatMul");
        test.input(TestTensor(a, DataType::F32));
        test.input(TestTensor(b, DataType::F32));
        return test;
    };
    product({2, 3}, {4, 5}).expect_refused("[4, 5]", {2, 5});
    product({2, 2, 3}, {3, 3, 5}).expect_refused("broadcast", {3, 2, 5});
    product({}, {3}).expect_refused("operand 0", {});

    OperatorCase type("MatMul");
    type.input(TestTensor({2, 3}, DataType::U8));
    type.input(TestTensor({3, 2}, DataType::U8));
    type.expect_refused("u8", {2, 2});
}

}  // namespace
}  // namespace emulsion
