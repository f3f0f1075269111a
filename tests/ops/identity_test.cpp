#include <gtest/gtest.h>

#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

TEST(Identity, CopiesEveryType) {
    for (const DataType type :
         {DataType::F32, DataType::F64, DataType::I8, DataType::I16, DataType::I32, DataType::I64,
          DataType::U8, DataType::U16, DataType::U32, DataType::U64, DataType::Bool}) {
        Random random(1);
        const TestTensor x = random.tensor({2, 1, 3}, type);
        OperatorCase test("Identity");
        test.input(x);
        test.expect(x);
    }
}

TEST(Identity, RefusesAnotherShape) {
    OperatorCase test("Identity");
    test.input(TestTensor({2, 3}, DataType::F32));
    test.expect_refused("[3, 2]", {3, 2});
}

}  // namespace
}  // namespace emulsion
