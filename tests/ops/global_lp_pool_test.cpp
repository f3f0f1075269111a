#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(GlobalLpPool, EqualsPlainLoops) {
    for (const int64_t p : {0, 1, 2, 3}) {
        const double power = p == 0 ? 2.0 : static_cast<double>(p);
        test_global_pool(
            "GlobalLpPool",
            [&](const std::vector<double> &values) {
                double sum = 0.0;
                for (const double value : values) {
                    sum += std::pow(std::abs(value), power);
                }
                return std::pow(sum, 1.0 / power);
            },
            p);
    }
}

TEST(GlobalLpPool, RefusesPowersBelowOne) {
    OperatorCase test("GlobalLpPool");
    test.input(TestTensor({1, 2, 3}, DataType::F32));
    test.attribute("p", int64_t{0});
    test.expect_refused("attribute p", {1, 2, 1});
}

}  // namespace
}  // namespace emulsion
