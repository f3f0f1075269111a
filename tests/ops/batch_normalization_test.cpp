#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

OperatorCase batch_normalization(const TestTensor &x, const TestTensor &scale, const TestTensor &b,
                                 const TestTensor &mean, const TestTensor &variance) {
    OperatorCase test("BatchNormalization");
    for (const TestTensor *operand : {&x, &scale, &b, &mean, &variance}) {
        test.input(*operand);
    }
    return test;
}

TEST(BatchNormalization, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto type = [&] { return random.choose({DataType::F32, DataType::F64}); };
        const TestTensor x =
            random.tensor(random.shape(static_cast<int>(random.integer(1, 5)), 4), type());
        // An operand of rank 1 has a single channel.
        const std::vector<int64_t> channels = {x.shape.size() < 2 ? 1 : x.shape[1]};
        const DataType scale_type = type();
        const DataType mean_type = type();
        const TestTensor scale = random.tensor(channels, scale_type);
        const TestTensor b = random.tensor(channels, scale_type);
        const TestTensor mean = random.tensor(channels, mean_type);
        TestTensor variance = random.tensor(channels, mean_type);
        for (double &value : variance.values) {
            value = std::abs(value);
        }
        const double epsilon = random.flip() ? 1e-5 : 0.25;

        TestTensor y(x.shape, x.type);
        for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
            const std::vector<int64_t> c = {at.size() < 2 ? 0 : at[1]};
            y.at(at) = (x.at(at) - mean.at(c)) / std::sqrt(variance.at(c) + epsilon) * scale.at(c) +
                       b.at(c);
        });
        OperatorCase test = batch_normalization(x, scale, b, mean, variance);
        if (epsilon != 1e-5) {
            test.attribute("epsilon", epsilon);
        }
        test.expect(y);
    });
}

TEST(BatchNormalization, RefusalsNameTheCause) {
    const TestTensor x({1, 3, 2, 2}, DataType::F32);
    const TestTensor c({3}, DataType::F32);

    OperatorCase training = batch_normalization(x, c, c, c, c);
    training.attribute("training_mode", int64_t{1});
    training.expect_refused("training_mode", x.shape);

    OperatorCase running = batch_normalization(x, c, c, c, c);
    running.result_index(1);
    running.expect_refused("running_mean", x.shape);
    batch_normalization(x, c, c, c, TestTensor({2}, DataType::F32))
        .expect_refused("operand 4", x.shape);
    const TestTensor scalar({}, DataType::F32);
    batch_normalization(scalar, c, c, c, c).expect_refused("scalar", {});
    batch_normalization(TestTensor({1, 3}, DataType::I32), c, c, c, c)
        .expect_refused("i32", {1, 3});
}

}  // namespace
}  // namespace emulsion
