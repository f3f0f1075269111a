#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Neg, EqualsPlainLoops) {
    test_unary({.type = "Neg",
                .types = {DataType::F32, DataType::F64, DataType::I8, DataType::I16, DataType::I32,
                          DataType::I64},
                .function = [](double x) { return -x; }});
}

TEST(Neg, LowestIntegersWrapAround) {
    test_values("Neg", DataType::I8, {-128.0, 127.0}, {-128.0, -127.0});
    test_values("Neg", DataType::I64, {-9223372036854775808.0, 4.0},
                {-9223372036854775808.0, -4.0});
}

TEST(Neg, RefusalNamesTheType) { test_unary_refusal("Neg", DataType::U8); }

}  // namespace
}  // namespace emulsion
