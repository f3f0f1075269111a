#include <numeric>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Sum, EqualsPlainLoops) {
    test_variadic("Sum", kTestedFloats, [](const std::vector<double> &x) {
        return std::accumulate(x.begin(), x.end(), 0.0);
    });
}

TEST(Sum, RefusalNamesTheType) { test_unary_refusal("Sum", DataType::I32); }

}  // namespace
}  // namespace emulsion
