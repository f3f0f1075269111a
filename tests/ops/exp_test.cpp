#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Exp, EqualsPlainLoops) {
    test_unary(
        {.type = "Exp", .types = kTestedFloats, .function = [](double x) { return std::exp(x); }});
}

TEST(Exp, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Exp", type, {kNan, kInfinity, -kInfinity, 0.0, -1e30, 1e30},
                    {kNan, kInfinity, 0.0, 1.0, 0.0, kInfinity});
    }
}

TEST(Exp, RefusalNamesTheType) { test_unary_refusal("Exp", DataType::I32); }

}  // namespace
}  // namespace emulsion
