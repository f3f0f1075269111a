
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Greater, EqualsPlainLoops) {
    test_binary({.type = "Greater",
                 .types = kTestedNumbers,
                 .function = [](double a, double b) { return a > b ? 1.0 : 0.0; },
                 .result = DataType::Bool});
}

TEST(Greater, IsFalseForNan) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_pairs("Greater", type, {kNan, kNan, 1.0, 2.0}, {kNan, 1.0, kNan, 2.0},
                   {0.0, 0.0, 0.0, 0.0}, DataType::Bool);
    }
}

TEST(Greater, RefusalsNameTheCause) {
    test_binary_refusals("Greater", DataType::F32, DataType::Bool);
}

}  // namespace
}  // namespace emulsion
