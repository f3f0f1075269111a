#include <gtest/gtest.h>

#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

TEST(InstanceNormalization, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(3, 5));
        const TestTensor x =
            random.tensor(random.shape(rank, 5), random.choose({DataType::F32, DataType::F64}));
        const TestTensor scale = random.tensor({x.shape[1]}, x.type);
        const TestTensor bias = random.tensor({x.shape[1]}, x.type);
        OperatorCase test("InstanceNormalization");
        test.input(x);
        test.input(scale);
        test.input(bias);
        double epsilon = 1e-5;
        if (random.flip()) {
            epsilon = 0.25;
            test.attribute("epsilon", epsilon);
        }
        const auto normalize = [&](const std::vector<double> &values) {
            return normalized(values, epsilon);
        };
        TestTensor y = reference_sets(x, axes_behind(2, rank), normalize);
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            y.at(at) = y.at(at) * scale.at({at[1]}) + bias.at({at[1]});
        });
        test.expect(y);
    });
}

TEST(InstanceNormalization, RefusalsNameTheCause) {
    OperatorCase rank("InstanceNormalization");
    rank.input(TestTensor({2, 3}, DataType::F32));
    rank.input(TestTensor({3}, DataType::F32));
    rank.input(TestTensor({3}, DataType::F32));
    rank.expect_refused("rank 2", {2, 3});

    OperatorCase scale("InstanceNormalization");
    scale.input(TestTensor({2, 3, 4}, DataType::F32));
    scale.input(TestTensor({4}, DataType::F32));
    scale.input(TestTensor({3}, DataType::F32));
    scale.expect_refused("per channel", {2, 3, 4});

    OperatorCase missing("InstanceNormalization");
    missing.input(TestTensor({2, 3, 4}, DataType::F32));
    missing.expect_refused("operand 1", {2, 3, 4});
}

}  // namespace
}  // namespace emulsion
