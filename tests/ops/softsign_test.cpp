#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Softsign, EqualsPlainLoops) {
    test_unary({.type = "Softsign", .types = kTestedFloats, .function = [](double x) {
                    return x / (1.0 + std::abs(x));
                }});
}

TEST(Softsign, RefusalNamesTheType) { test_unary_refusal("Softsign", DataType::I32); }

}  // namespace
}  // namespace emulsion
