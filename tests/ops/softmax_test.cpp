#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

TEST(Softmax, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(1, 5));
        TestTensor x =
            random.tensor(random.shape(rank, 5), random.choose({DataType::F32, DataType::F64}));
        const int64_t axis = random.integer(-rank, rank - 1);
        if (random.flip()) {
            for (double &value : x.values) {
                value += 512.0;  // exp of it is no float
            }
        }
        TestTensor y(x.shape, x.type);
        for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
            std::vector<int64_t> other = at;
            int64_t &along = other[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
            const int64_t extent = x.shape[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
            double sum = 0.0;
            for (along = 0; along < extent; along++) {
                sum += std::exp(x.at(other) - x.at(at));
            }
            y.at(at) = 1.0 / sum;
        });
        OperatorCase test("Softmax");
        test.input(x);
        if (axis != -1 || random.flip()) {
            test.attribute("axis", axis);
        }
        test.expect(y);
    });
}

TEST(Softmax, RefusalsNameTheCause) {
    OperatorCase axis("Softmax");
    axis.input(TestTensor({2, 3}, DataType::F32));
    axis.attribute("axis", int64_t{2});
    axis.expect_refused("axis", {2, 3});

    OperatorCase type("Softmax");
    type.input(TestTensor({2, 3}, DataType::I32));
    type.expect_refused("i32", {2, 3});
}

}  // namespace
}  // namespace emulsion
