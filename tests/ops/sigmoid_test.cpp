#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Sigmoid, EqualsPlainLoops) {
    test_unary({.type = "Sigmoid",
                .types = kTestedFloats,
                .function = [](double x) { return 1.0 / (1.0 + std::exp(-x)); },
                .lowest = -20.0,
                .highest = 20.0});
}

TEST(Sigmoid, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Sigmoid", type, {kNan, kInfinity, -kInfinity, 0.0, -1e30, 1e30},
                    {kNan, 1.0, 0.0, 0.5, 0.0, 1.0});
    }
}

TEST(Sigmoid, RefusalNamesTheType) { test_unary_refusal("Sigmoid", DataType::I32); }

}  // namespace
}  // namespace emulsion
