
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(BitwiseXor, EqualsPlainLoops) {
    test_binary(
        {.type = "BitwiseXor", .types = kTestedIntegers, .function = [](double a, double b) {
             return static_cast<double>(static_cast<int64_t>(a) ^ static_cast<int64_t>(b));
         }});
}

TEST(BitwiseXor, RefusalsNameTheCause) {
    test_binary_refusals("BitwiseXor", DataType::I32, DataType::F32);
}

}  // namespace
}  // namespace emulsion
