#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Sinh, EqualsPlainLoops) {
    test_unary({.type = "Sinh", .types = kTestedFloats, .function = [](double x) {
                    return std::sinh(x);
                }});
}

TEST(Sinh, RefusalNamesTheType) { test_unary_refusal("Sinh", DataType::I32); }

}  // namespace
}  // namespace emulsion
