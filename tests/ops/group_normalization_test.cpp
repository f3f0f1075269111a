#include <gtest/gtest.h>

#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

TEST(GroupNormalization, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(2, 5));
        const int64_t groups = random.integer(1, 4);
        std::vector<int64_t> shape = random.shape(rank, 4);
        shape[1] *= groups;
        const TestTensor x = random.tensor(shape, random.choose({DataType::F32, DataType::F64}));
        const TestTensor scale = random.tensor({x.shape[1]}, x.type);
        const TestTensor bias = random.tensor({x.shape[1]}, x.type);
        OperatorCase test("GroupNormalization");
        test.input(x);
        test.input(scale);
        test.input(bias);
        test.attribute("num_groups", groups);
        double epsilon = 1e-5;
        if (random.flip()) {
            epsilon = 0.25;
            test.attribute("epsilon", epsilon);
        }
        const auto normalize = [&](const std::vector<double> &values) {
            return normalized(values, epsilon);
        };
        // As a tensor with an axis for the groups.
        TestTensor grouped = x;
        grouped.shape[1] /= groups;
        grouped.shape.insert(grouped.shape.begin() + 1, groups);
        TestTensor y = reference_sets(grouped, axes_behind(2, rank + 1), normalize);
        y.shape = x.shape;
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            y.at(at) = y.at(at) * scale.at({at[1]}) + bias.at({at[1]});
        });
        test.expect(y);
    });
}

TEST(GroupNormalization, RefusalsNameTheCause) {
    const auto group = [](const std::vector<int64_t> &x, int64_t channels) {
        OperatorCase test("GroupNormalization");
        test.input(TestTensor(x, DataType::F32));
        test.input(TestTensor({channels}, DataType::F32));
        test.input(TestTensor({channels}, DataType::F32));
        return test;
    };
    group({2, 6, 4}, 6).expect_refused("num_groups is missing", {2, 6, 4});
    for (const int64_t groups : {0, 4}) {
        OperatorCase divides = group({2, 6, 4}, 6);
        divides.attribute("num_groups", groups);
        divides.expect_refused("attribute num_groups", {2, 6, 4});
    }
    OperatorCase scale = group({2, 6, 4}, 3);  // as before opset 21
    scale.attribute("num_groups", int64_t{3});
    scale.expect_refused("per channel", {2, 6, 4});
    OperatorCase stash = group({2, 6, 4}, 6);
    stash.attribute("num_groups", int64_t{3});
    stash.attribute("stash_type", int64_t{10});
    stash.expect_refused("stash_type", {2, 6, 4});
    group({6}, 6).expect_refused("rank 2", {6});
}

}  // namespace
}  // namespace emulsion
