
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(CastLike, TakesTheTypeOfTheSecondOperand) {
    OperatorCase test("CastLike");
    test.input(TestTensor({3}, DataType::F32, {-1.75, 0.0, 2.5}));
    test.constant(TestTensor({1}, DataType::I32));
    test.expect(TestTensor({3}, DataType::I32, {-1.0, 0.0, 2.0}));
}

}  // namespace
}  // namespace emulsion
