#include <gtest/gtest.h>

#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

TEST(Flatten, KeepsTheOrderOfElements) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(0, 5));
        const TestTensor x = random.tensor(
            random.shape(rank, 4), random.choose({DataType::F32, DataType::U8, DataType::Bool}));
        const int64_t axis = random.integer(-rank, rank);
        std::vector<int64_t> shape = {1, 1};
        for (int i = 0; i < rank; i++) {
            shape[i < (axis < 0 ? axis + rank : axis) ? 0 : 1] *= x.shape[static_cast<size_t>(i)];
        }
        OperatorCase test("Flatten");
        test.input(x);
        if (axis != 1 || random.flip()) {
            test.attribute("axis", axis);
        }
        test.expect(TestTensor(shape, x.type, x.values));
    });
}

TEST(Flatten, RefusesAxesOutsideOfTheRank) {
    for (const int64_t axis : {3, -3}) {
        OperatorCase test("Flatten");
        test.input(TestTensor({2, 3}, DataType::F32));
        test.attribute("axis", axis);
        test.expect_refused("axis", {6, 1});
    }
}

}  // namespace
}  // namespace emulsion
