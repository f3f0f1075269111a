#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

TEST(MeanVarianceNormalization, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const bool says_axes = random.flip();
        const int rank = says_axes ? static_cast<int>(random.integer(1, 5)) : 4;
        const TestTensor x =
            random.tensor(random.shape(rank, 5), random.choose({DataType::F32, DataType::F64}));
        std::set<int> along = {0, 2, 3};
        OperatorCase test("MeanVarianceNormalization");
        test.input(x);
        if (says_axes) {
            along = {static_cast<int>(random.integer(0, rank - 1)),
                     static_cast<int>(random.integer(0, rank - 1))};
            std::vector<int64_t> axes;
            for (const int axis : along) {
                axes.push_back(random.flip() ? axis : axis - rank);
            }
            test.attribute("axes", axes);
        }
        test.expect(reference_sets(x, along, [](const std::vector<double> &values) {
            std::vector<double> result;
            for (const double value : values) {
                result.push_back((value - mean_of(values)) /
                                 (std::sqrt(variance_of(values)) + 1e-9));
            }
            return result;
        }));
    });
}

TEST(MeanVarianceNormalization, RefusalsNameTheCause) {
    const auto with_axes = [](const std::vector<int64_t> &axes) {
        OperatorCase test("MeanVarianceNormalization");
        test.input(TestTensor({2, 3, 4}, DataType::F32));
        test.attribute("axes", axes);
        return test;
    };
    with_axes({3}).expect_refused("attribute axes", {2, 3, 4});
    with_axes({1, -2}).expect_refused("twice", {2, 3, 4});

    OperatorCase type("MeanVarianceNormalization");
    type.input(TestTensor({2, 3, 4, 5}, DataType::I32));
    type.expect_refused("i32", {2, 3, 4, 5});
}

}  // namespace
}  // namespace emulsion
