#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Ceil, EqualsPlainLoops) {
    test_unary({.type = "Ceil", .types = kTestedFloats, .function = [](double x) {
                    return std::ceil(x);
                }});
}

TEST(Ceil, RefusalNamesTheType) { test_unary_refusal("Ceil", DataType::I32); }

}  // namespace
}  // namespace emulsion
