#include <numeric>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Mean, EqualsPlainLoops) {
    test_variadic("Mean", kTestedFloats, [](const std::vector<double> &x) {
        return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    });
}

TEST(Mean, RefusalNamesTheType) { test_unary_refusal("Mean", DataType::I32); }

}  // namespace
}  // namespace emulsion
