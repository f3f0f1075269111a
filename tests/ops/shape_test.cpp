#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

OperatorCase shape(int64_t start, int64_t end) {
    OperatorCase test("Shape");
    test.attribute("start", start);
    test.attribute("end", end);
    test.input(TestTensor({2, 3, 5}, DataType::F32));
    return test;
}

TEST(Shape, ListsTheExtents) {
    OperatorCase all("Shape");
    all.input(TestTensor({2, 3, 5}, DataType::Bool));
    all.expect(int_list({2, 3, 5}));
    shape(1, 3).expect(int_list({3, 5}));
    shape(-1, 100).expect(int_list({5}));
    shape(-100, -1).expect(int_list({2, 3}));
    shape(0, 1).expect(int_list({2}));
}

TEST(Shape, AnEmptyListIsRefused) {
    OperatorCase test = shape(2, 1);
    test.expect_refused("[0]", {0});
}

}  // namespace
}  // namespace emulsion
