#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Mish, EqualsPlainLoops) {
    test_unary({.type = "Mish",
                .types = kTestedFloats,
                .function = [](double x) { return x * std::tanh(std::log1p(std::exp(x))); },
                .lowest = -20.0,
                .highest = 30.0});
}

TEST(Mish, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Mish", type, {kNan, kInfinity, 0.0, -1e30, 1048576.0},
                    {kNan, kInfinity, 0.0, 0.0, 1048576.0});
    }
}

TEST(Mish, RefusalNamesTheType) { test_unary_refusal("Mish", DataType::I32); }

}  // namespace
}  // namespace emulsion
