
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Mul, EqualsPlainLoops) {
    test_binary({.type = "Mul", .types = kTestedNumbers, .function = [](double a, double b) {
                     return a * b;
                 }});
}

TEST(Mul, OfIntegersWrapsAround) { test_pairs("Mul", DataType::I32, {1073741824.0}, {4.0}, {0.0}); }

TEST(Mul, RefusalsNameTheCause) { test_binary_refusals("Mul", DataType::F32, DataType::Bool); }

}  // namespace
}  // namespace emulsion
