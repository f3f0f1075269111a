#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Softplus, EqualsPlainLoops) {
    test_unary({.type = "Softplus",
                .types = kTestedFloats,
                .function = [](double x) { return std::log1p(std::exp(x)); },
                .lowest = -20.0,
                .highest = 20.0});
}

TEST(Softplus, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Softplus", type, {kNan, kInfinity, -kInfinity, 0.0, -1e30, 1048576.0},
                    {kNan, kInfinity, 0.0, 0.6931471805599453, 0.0, 1048576.0});
    }
}

TEST(Softplus, RefusalNamesTheType) { test_unary_refusal("Softplus", DataType::I32); }

}  // namespace
}  // namespace emulsion
