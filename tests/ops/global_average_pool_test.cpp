#include <numeric>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(GlobalAveragePool, EqualsPlainLoops) {
    test_global_pool("GlobalAveragePool", [](const std::vector<double> &values) {
        const double sum = std::accumulate(values.begin(), values.end(), 0.0);
        return sum / static_cast<double>(values.size());
    });
}

}  // namespace
}  // namespace emulsion
