#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

std::vector<double> one_at_the_first_largest(const std::vector<double> &values) {
    std::vector<double> result(values.size(), 0.0);
    const auto largest = std::max_element(values.begin(), values.end());
    result[static_cast<size_t>(largest - values.begin())] = 1.0;
    return result;
}

TEST(Hardmax, EqualsPlainLoops) { test_along_axis("Hardmax", one_at_the_first_largest); }

TEST(Hardmax, OfEqualElementsTheFirstCounts) {
    OperatorCase test("Hardmax");
    test.input(TestTensor({2, 4}, DataType::F32, {1, 3, 3, 2, 0, 0, 0, 0}));
    test.expect(TestTensor({2, 4}, DataType::F32, {0, 1, 0, 0, 1, 0, 0, 0}));
}

TEST(Hardmax, RefusalsNameTheCause) { test_along_axis_refusals("Hardmax"); }

}  // namespace
}  // namespace emulsion
