
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(GreaterOrEqual, EqualsPlainLoops) {
    test_binary({.type = "GreaterOrEqual",
                 .types = kTestedNumbers,
                 .function = [](double a, double b) { return a >= b ? 1.0 : 0.0; },
                 .result = DataType::Bool});
}

TEST(GreaterOrEqual, IsFalseForNan) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_pairs("GreaterOrEqual", type, {kNan, kNan, 1.0, 2.0}, {kNan, 1.0, kNan, 2.0},
                   {0.0, 0.0, 0.0, 1.0}, DataType::Bool);
    }
}

TEST(GreaterOrEqual, RefusalsNameTheCause) {
    test_binary_refusals("GreaterOrEqual", DataType::F32, DataType::Bool);
}

}  // namespace
}  // namespace emulsion
