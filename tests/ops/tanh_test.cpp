#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Tanh, EqualsPlainLoops) {
    test_unary({.type = "Tanh",
                .types = kTestedFloats,
                .function = [](double x) { return std::tanh(x); },
                .lowest = -12.0,
                .highest = 12.0});
}

TEST(Tanh, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Tanh", type, {kNan, kInfinity, -kInfinity, 0.0, -1e30, 1e-40},
                    {kNan, 1.0, -1.0, 0.0, -1.0, 1e-40});
    }
}

TEST(Tanh, RefusalNamesTheType) { test_unary_refusal("Tanh", DataType::I32); }

}  // namespace
}  // namespace emulsion
