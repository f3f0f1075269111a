
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(BitwiseAnd, EqualsPlainLoops) {
    test_binary(
        {.type = "BitwiseAnd", .types = kTestedIntegers, .function = [](double a, double b) {
             return static_cast<double>(static_cast<int64_t>(a) & static_cast<int64_t>(b));
         }});
}

TEST(BitwiseAnd, RefusalsNameTheCause) {
    test_binary_refusals("BitwiseAnd", DataType::I32, DataType::F32);
}

}  // namespace
}  // namespace emulsion
