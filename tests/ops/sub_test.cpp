
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Sub, EqualsPlainLoops) {
    test_binary({.type = "Sub",
                 .types = {DataType::F32, DataType::F64, DataType::I8, DataType::I16, DataType::I32,
                           DataType::I64},
                 .function = [](double a, double b) { return a - b; }});
}

TEST(Sub, OfIntegersWrapsAround) {
    test_pairs("Sub", DataType::U16, {0.0, 5.0}, {1.0, 3.0}, {65535.0, 2.0});
    test_pairs("Sub", DataType::I64, {-9223372036854775808.0}, {9223372036854774784.0}, {1024.0});
}

TEST(Sub, RefusalsNameTheCause) { test_binary_refusals("Sub", DataType::F32, DataType::Bool); }

}  // namespace
}  // namespace emulsion
