
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Add, EqualsPlainLoops) {
    test_binary({.type = "Add", .types = kTestedNumbers, .function = [](double a, double b) {
                     return a + b;
                 }});
}

TEST(Add, OfIntegersWrapsAround) {
    test_pairs("Add", DataType::I32, {2147483647.0}, {1.0}, {-2147483648.0});
    test_pairs("Add", DataType::U8, {255.0}, {2.0}, {1.0});
}

TEST(Add, RefusalsNameTheCause) { test_binary_refusals("Add", DataType::F32, DataType::Bool); }

}  // namespace
}  // namespace emulsion
