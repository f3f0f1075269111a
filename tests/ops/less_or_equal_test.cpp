
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(LessOrEqual, EqualsPlainLoops) {
    test_binary({.type = "LessOrEqual",
                 .types = kTestedNumbers,
                 .function = [](double a, double b) { return a <= b ? 1.0 : 0.0; },
                 .result = DataType::Bool});
}

TEST(LessOrEqual, IsFalseForNan) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_pairs("LessOrEqual", type, {kNan, kNan, 1.0, 2.0}, {kNan, 1.0, kNan, 2.0},
                   {0.0, 0.0, 0.0, 1.0}, DataType::Bool);
    }
}

TEST(LessOrEqual, RefusalsNameTheCause) {
    test_binary_refusals("LessOrEqual", DataType::F32, DataType::Bool);
}

}  // namespace
}  // namespace emulsion
