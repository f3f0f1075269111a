#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Relu, EqualsPlainLoops) {
    test_unary({.type = "Relu",
                .types = {DataType::F32, DataType::F64, DataType::I8, DataType::I16, DataType::I32,
                          DataType::I64},
                .function = [](double x) { return std::max(x, 0.0); }});
}

TEST(Relu, RefusalNamesTheType) { test_unary_refusal("Relu", DataType::U8); }

}  // namespace
}  // namespace emulsion
