#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Size, CountsTheElements) {
    OperatorCase test("Size");
    test.input(TestTensor({2, 3, 5}, DataType::Bool));
    test.expect(TestTensor({}, DataType::I64, {30}));

    OperatorCase scalar("Size");
    scalar.input(TestTensor({}, DataType::F32));
    scalar.expect(TestTensor({}, DataType::I64, {1}));
}

TEST(Size, CountsThatDoNotFitAreRefused) {
    OperatorCase test("Size");
    test.input(TestTensor({1, 1, 1}, DataType::F32));
    const int64_t large = int64_t{1} << 30;
    test.reshape_input(0, {large, large, large});
    test.expect_refused("2^63-1", {});
}

}  // namespace
}  // namespace emulsion
