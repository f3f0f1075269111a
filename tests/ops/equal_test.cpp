
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Equal, EqualsPlainLoops) {
    TypeList types = kTestedNumbers;
    types.push_back(DataType::Bool);
    test_binary({.type = "Equal",
                 .types = types,
                 .function = [](double a, double b) { return a == b ? 1.0 : 0.0; },
                 .result = DataType::Bool});
}

TEST(Equal, IsFalseForNan) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_pairs("Equal", type, {kNan, kNan, 1.0, 2.0}, {kNan, 1.0, kNan, 2.0},
                   {0.0, 0.0, 0.0, 1.0}, DataType::Bool);
    }
}

TEST(Equal, RefusesDifferentTypes) {
    OperatorCase test("Equal");
    test.input(TestTensor({2}, DataType::F32));
    test.input(TestTensor({2}, DataType::I32));
    test.expect_refused("i32", {2}, DataType::Bool);
}

}  // namespace
}  // namespace emulsion
