
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(BitwiseOr, EqualsPlainLoops) {
    test_binary({.type = "BitwiseOr", .types = kTestedIntegers, .function = [](double a, double b) {
                     return static_cast<double>(static_cast<int64_t>(a) | static_cast<int64_t>(b));
                 }});
}

TEST(BitwiseOr, RefusalsNameTheCause) {
    test_binary_refusals("BitwiseOr", DataType::I32, DataType::F32);
}

}  // namespace
}  // namespace emulsion
