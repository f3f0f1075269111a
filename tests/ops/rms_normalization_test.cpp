#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"
#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

TEST(RMSNormalization, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(1, 5));
        const TestTensor x =
            random.tensor(random.shape(rank, 5), random.choose({DataType::F32, DataType::F64}));
        // A result in double precision has the digits of x; in single precision its own.
        const DataType scale_type =
            x.type == DataType::F32 ? x.type : random.choose({DataType::F32, DataType::F64});
        const TestTensor scale = random.tensor(random_broadcastable(random, x.shape), scale_type);
        const int64_t axis = random.integer(-rank, rank - 1);
        OperatorCase test("RMSNormalization");
        test.input(x);
        test.input(scale);
        if (axis != -1 || random.flip()) {
            test.attribute("axis", axis);
        }
        test.attribute("epsilon", 0.125);
        TestTensor y = reference_sets(
            x, axes_behind(static_cast<int>(axis < 0 ? axis + rank : axis), rank),
            [](const std::vector<double> &values) {
                double sum = 0.0;
                for (const double value : values) {
                    sum += value * value;
                }
                std::vector<double> result;
                for (const double value : values) {
                    result.push_back(value /
                                     std::sqrt(sum / static_cast<double>(values.size()) + 0.125));
                }
                return result;
            });
        for_each_coordinate(
            y.shape, [&](const std::vector<int64_t> &at) { y.at(at) *= broadcast_at(scale, at); });
        y.type = scale.type;
        test.expect(y);
    });
}

TEST(RMSNormalization, RefusalsNameTheCause) {
    OperatorCase scale("RMSNormalization");
    scale.input(TestTensor({2, 3}, DataType::F32));
    scale.input(TestTensor({2}, DataType::F32));
    scale.expect_refused("operand 1", {2, 3});

    OperatorCase stash("RMSNormalization");
    stash.input(TestTensor({2, 3}, DataType::F32));
    stash.input(TestTensor({3}, DataType::F32));
    stash.attribute("stash_type", int64_t{16});
    stash.expect_refused("stash_type", {2, 3});
}

}  // namespace
}  // namespace emulsion
