
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Not, EqualsPlainLoops) {
    test_unary({.type = "Not", .types = kTestedBools, .function = [](double x) {
                    return x == 0.0 ? 1.0 : 0.0;
                }});
}

TEST(Not, RefusalNamesTheType) { test_unary_refusal("Not", DataType::U8); }

}  // namespace
}  // namespace emulsion
