#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

// With an offset whose exp is no float.
TEST(LogSoftmax, EqualsPlainLoops) {
    test_along_axis(
        "LogSoftmax",
        [](const std::vector<double> &values) {
            std::vector<double> result;
            for (const double value : values) {
                double sum = 0.0;
                for (const double other : values) {
                    sum += std::exp(other - value);
                }
                result.push_back(-std::log(sum));
            }
            return result;
        },
        512.0);
}

TEST(LogSoftmax, RefusalsNameTheCause) { test_along_axis_refusals("LogSoftmax"); }

}  // namespace
}  // namespace emulsion
