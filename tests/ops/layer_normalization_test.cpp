#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"
#include "tests/ops/reduce_reference.h"
#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

struct LayerCase {
    TestTensor x;
    int first = 0;  // of the normalised axes
    double epsilon = 1e-5;
    OperatorCase test{"LayerNormalization"};
};

// `x` and the attributes; scale and bias are still to come.
LayerCase random_layer(Random &random) {
    LayerCase layer;
    const int rank = static_cast<int>(random.integer(1, 5));
    layer.x = random.tensor(random.shape(rank, 5), random.choose({DataType::F32, DataType::F64}));
    const int64_t axis = random.integer(-rank, rank - 1);
    layer.first = static_cast<int>(axis < 0 ? axis + rank : axis);
    layer.test.input(layer.x);
    if (axis != -1 || random.flip()) {
        layer.test.attribute("axis", axis);
    }
    if (random.flip()) {
        layer.epsilon = 0.25;
        layer.test.attribute("epsilon", layer.epsilon);
    }
    if (random.flip()) {
        layer.test.attribute("stash_type", int64_t{random.flip() ? 1 : 11});
    }
    return layer;
}

TEST(LayerNormalization, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        LayerCase layer = random_layer(random);
        const TestTensor &x = layer.x;
        const TestTensor scale = random.tensor(random_broadcastable(random, x.shape), x.type);
        const TestTensor bias = random.tensor(random_broadcastable(random, x.shape), x.type);
        const bool has_bias = random.flip();
        layer.test.input(scale);
        if (has_bias) {
            layer.test.input(bias);
        }
        TestTensor y = reference_sets(
            x, axes_behind(layer.first, static_cast<int>(x.shape.size())),
            [&](const std::vector<double> &values) { return normalized(values, layer.epsilon); });
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            y.at(at) =
                y.at(at) * broadcast_at(scale, at) + (has_bias ? broadcast_at(bias, at) : 0.0);
        });
        layer.test.expect(y);
    });
}

TEST(LayerNormalization, MeanAndInverseDeviationAreResults) {
    for_random_cases([](Random &random) {
        LayerCase layer = random_layer(random);
        layer.test.input(TestTensor({1}, layer.x.type));
        const int index = random.flip() ? 1 : 2;
        layer.test.result_index(index);
        const Reduction reduction = [&](const std::vector<double> &values) {
            return index == 1 ? mean_of(values)
                              : 1.0 / std::sqrt(variance_of(values) + layer.epsilon);
        };
        TestTensor y = reference_reduce(
            layer.x, axes_behind(layer.first, static_cast<int>(layer.x.shape.size())), true,
            reduction);
        y.type = DataType::F32;
        layer.test.expect(y);
    });
}

TEST(LayerNormalization, RefusalsNameTheCause) {
    const auto layer = [](const std::vector<int64_t> &scale, DataType type) {
        OperatorCase test("LayerNormalization");
        test.input(TestTensor({2, 3}, DataType::F32));
        test.input(TestTensor(scale, type));
        return test;
    };
    layer({4}, DataType::F32).expect_refused("operand 1", {2, 3});
    layer({3}, DataType::F64).expect_refused("f64", {2, 3});
    OperatorCase stash = layer({3}, DataType::F32);
    stash.attribute("stash_type", int64_t{10});
    stash.expect_refused("stash_type", {2, 3});
    OperatorCase axis = layer({3}, DataType::F32);
    axis.attribute("axis", int64_t{2});
    axis.expect_refused("attribute axis", {2, 3});
    OperatorCase missing("LayerNormalization");
    missing.input(TestTensor({2, 3}, DataType::F32));
    missing.expect_refused("operand 1", {2, 3});
}

}  // namespace
}  // namespace emulsion
