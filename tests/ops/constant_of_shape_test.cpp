#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(ConstantOfShape, RepeatsTheValue) {
    for_random_cases([](Random &random) {
        const std::vector<int64_t> shape = random.shape(static_cast<int>(random.integer(1, 4)), 4);
        const bool has_value = random.flip();
        const DataType type = has_value ? any_type(random) : DataType::F32;
        const double value = has_value ? random.tensor({}, type).values[0] : 0.0;
        OperatorCase test("ConstantOfShape");
        if (has_value && is_float(type)) {
            test.attribute("value", value);
        } else if (has_value) {
            test.attribute("value", static_cast<int64_t>(value));
        }
        test.constant(int_list(shape));
        TestTensor y(shape, type);
        std::fill(y.values.begin(), y.values.end(), value);
        test.expect(y);
    });
}

TEST(ConstantOfShape, RefusalsNameTheCause) {
    OperatorCase variable("ConstantOfShape");
    variable.input(TestTensor({2}, DataType::I64));
    variable.expect_refused("operand 0", {2, 3});

    OperatorCase empty("ConstantOfShape");
    empty.attribute("value", int64_t{1});
    empty.constant(int_list({2, 0}));
    empty.expect_refused("[2, 0]", {2, 0});

    OperatorCase type("ConstantOfShape");
    type.attribute("value", 1.0);
    type.constant(int_list({2}));
    type.expect_refused("value", {2});
}

}  // namespace
}  // namespace emulsion
