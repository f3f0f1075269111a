#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(EyeLike, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const std::vector<int64_t> shape = random.shape(2, 6);
        const int64_t k = random.integer(-7, 7);
        const DataType type = any_type(random);
        OperatorCase test("EyeLike");
        test.attribute("k", k);
        test.attribute("dtype", int64_t{1});  // the result's declared type is what counts
        test.input(TestTensor(shape, DataType::F32));
        TestTensor y(shape, type);
        for_each_coordinate(
            shape, [&](const Coordinates &at) { y.at(at) = at[1] - at[0] == k ? 1.0 : 0.0; });
        test.expect(y);
    });
}

TEST(EyeLike, OnlyMatricesHaveADiagonal) {
    OperatorCase test("EyeLike");
    test.input(TestTensor({2, 2, 2}, DataType::F32));
    test.expect_refused("rank 3", {2, 2, 2});
}

}  // namespace
}  // namespace emulsion
