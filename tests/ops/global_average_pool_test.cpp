#include <gtest/gtest.h>

#include "tests/ops/mean_reference.h"

namespace emulsion {
namespace {

TEST(GlobalAveragePool, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(3, 6));
        const TestTensor x =
            random.tensor(random.shape(rank, 5), random.choose({DataType::F32, DataType::F64}));
        std::set<int> spatial;
        for (int axis = 2; axis < rank; axis++) {
            spatial.insert(axis);
        }
        OperatorCase test("GlobalAveragePool");
        test.input(x);
        test.expect(reference_mean(x, spatial, true));
    });
}

TEST(GlobalAveragePool, RefusalsNameTheCause) {
    OperatorCase rank("GlobalAveragePool");
    rank.input(TestTensor({2, 3}, DataType::F32));
    rank.expect_refused("rank 3 or more", {2, 3});

    OperatorCase type("GlobalAveragePool");
    type.input(TestTensor({1, 2, 3, 3}, DataType::I32));
    type.expect_refused("i32", {1, 2, 1, 1});
}

}  // namespace
}  // namespace emulsion
