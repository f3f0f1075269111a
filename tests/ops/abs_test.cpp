#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Abs, EqualsPlainLoops) {
    test_unary(
        {.type = "Abs", .types = kTestedNumbers, .function = [](double x) { return std::abs(x); }});
}

TEST(Abs, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Abs", type, {kNan, -kInfinity, -0.0}, {kNan, kInfinity, 0.0});
    }
}

TEST(Abs, LowestIntegersWrapAround) {
    test_values("Abs", DataType::I8, {-128.0, 127.0}, {-128.0, 127.0});
    test_values("Abs", DataType::I32, {-2147483648.0, -1.0}, {-2147483648.0, 1.0});
}

TEST(Abs, RefusalNamesTheType) { test_unary_refusal("Abs", DataType::Bool); }

}  // namespace
}  // namespace emulsion
