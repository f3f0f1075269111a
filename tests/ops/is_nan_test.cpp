
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(IsNaN, IsTrueForNanOnly) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        OperatorCase test("IsNaN");
        test.input(TestTensor({5}, type, {kNan, 1.0, kInfinity, -kInfinity, 0.0}));
        test.expect(TestTensor({5}, DataType::Bool, {1.0, 0.0, 0.0, 0.0, 0.0}));
    }
}

TEST(IsNaN, RefusalNamesTheType) { test_unary_refusal("IsNaN", DataType::I32); }

}  // namespace
}  // namespace emulsion
