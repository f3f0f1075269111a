
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(IsInf, DetectsTheInfinitiesThatAreAskedFor) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        for (const int64_t positive : {0, 1}) {
            for (const int64_t negative : {0, 1}) {
                OperatorCase test("IsInf");
                test.attribute("detect_positive", positive);
                test.attribute("detect_negative", negative);
                test.input(TestTensor({5}, type, {kNan, 1.0, kInfinity, -kInfinity, 0.0}));
                test.expect(TestTensor(
                    {5}, DataType::Bool,
                    {0.0, 0.0, static_cast<double>(positive), static_cast<double>(negative), 0.0}));
            }
        }
    }
}

TEST(IsInf, RefusalNamesTheType) { test_unary_refusal("IsInf", DataType::I32); }

}  // namespace
}  // namespace emulsion
