#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(GlobalMaxPool, EqualsPlainLoops) {
    test_global_pool("GlobalMaxPool", [](const std::vector<double> &values) {
        return *std::max_element(values.begin(), values.end());
    });
}

}  // namespace
}  // namespace emulsion
