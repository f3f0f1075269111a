#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Gemm, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type =
            random.choose({DataType::F32, DataType::F32, DataType::F32, DataType::F64,
                           DataType::I32, DataType::I64, DataType::U32, DataType::U64});
        const int64_t rows = random.integer(1, 6);
        const int64_t columns = random.integer(1, 6);
        const int64_t depth = random.integer(1, 6);
        const bool transpose_a = random.flip();
        const bool transpose_b = random.flip();
        const TestTensor a =
            random.tensor(transpose_a ? std::vector{depth, rows} : std::vector{rows, depth}, type);
        const TestTensor b = random.tensor(
            transpose_b ? std::vector{columns, depth} : std::vector{depth, columns}, type);
        const bool has_c = random.flip();
        const TestTensor c = random.tensor(random_broadcastable(random, {rows, columns}), type);
        const double alpha = is_float(type) && random.flip() ? 0.5 : 1.0;
        const double beta = is_float(type) ? random.choose({1.0, 1.0, -2.0, 0.0}) : 1.0;

        TestTensor y({rows, columns}, type);
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            double sum = 0.0;
            for (int64_t k = 0; k < depth; k++) {
                sum += (transpose_a ? a.at({k, at[0]}) : a.at({at[0], k})) *
                       (transpose_b ? b.at({at[1], k}) : b.at({k, at[1]}));
            }
            y.at(at) = alpha * sum + (has_c ? beta * broadcast_at(c, at) : 0.0);
        });
        OperatorCase test("Gemm");
        test.input(a);
        test.input(b);
        if (has_c) {
            test.input(c);
        }
        if (alpha != 1.0) {
            test.attribute("alpha", alpha);
        }
        if (beta != 1.0) {
            test.attribute("beta", beta);
        }
        if (transpose_a) {
            test.attribute("transA", int64_t{1});
        }
        if (transpose_b) {
            test.attribute("transB", int64_t{1});
        }
        test.expect(y);
    });
}

TEST(Gemm, RefusalsNameTheCause) {
    const auto gemm = [](DataType type, std::vector<int64_t> b) {
        OperatorCase test("Gemm");
        test.input(TestTensor({2, 3}, type));
        test.input(TestTensor(std::move(b), type));
        return test;
    };
    gemm(DataType::F32, {4, 5}).expect_refused("[4, 5]", {2, 5});
    gemm(DataType::F32, {3, 5, 1}).expect_refused("rank 3", {2, 5});
    gemm(DataType::I8, {3, 5}).expect_refused("i8", {2, 5});

    OperatorCase alpha = gemm(DataType::I32, {3, 5});
    alpha.attribute("alpha", 0.5);
    alpha.expect_refused("alpha", {2, 5});

    OperatorCase addend = gemm(DataType::F32, {3, 5});
    addend.input(TestTensor({3, 5}, DataType::F32));
    addend.expect_refused("operand 2", {2, 5});
}

}  // namespace
}  // namespace emulsion
