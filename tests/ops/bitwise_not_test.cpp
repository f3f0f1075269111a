
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(BitwiseNot, EqualsPlainLoops) {
    test_unary({.type = "BitwiseNot",
                .types = {DataType::I8, DataType::I16, DataType::I32, DataType::I64},
                .function = [](double x) { return -x - 1.0; }});
}

TEST(BitwiseNot, InvertsUnsignedNumbers) {
    test_values("BitwiseNot", DataType::U8, {0.0, 255.0, 170.0}, {255.0, 0.0, 85.0});
    test_values("BitwiseNot", DataType::U32, {0.0, 1.0}, {4294967295.0, 4294967294.0});
}

TEST(BitwiseNot, RefusalNamesTheType) { test_unary_refusal("BitwiseNot", DataType::F32); }

}  // namespace
}  // namespace emulsion
