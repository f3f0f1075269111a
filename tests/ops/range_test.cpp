#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

OperatorCase range(double start, double limit, double delta, DataType type) {
    OperatorCase test("Range");
    for (const double value : {start, limit, delta}) {
        test.constant(TestTensor({}, type, {value}));
    }
    return test;
}

TEST(Range, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose(
            {DataType::F32, DataType::F64, DataType::I16, DataType::I32, DataType::I64});
        const double unit = is_float(type) ? 0.25 : 1.0;
        const double start = unit * static_cast<double>(random.integer(-20, 20));
        const double delta =
            unit * static_cast<double>(random.integer(1, 9)) * (random.flip() ? 1.0 : -1.0);
        const auto steps = static_cast<double>(random.integer(1, 20));
        const double limit = start + delta * steps - (is_float(type) ? delta / 2.0 : 0.0);
        std::vector<double> values;
        for (double value = start; delta > 0.0 ? value < limit : value > limit; value += delta) {
            values.push_back(value);
        }
        range(start, limit, delta, type)
            .expect(TestTensor({static_cast<int64_t>(values.size())}, type, values));
    });
}

TEST(Range, DistancesOfLargeNumbersDoNotOverflow) {
    const double large = 4611686018427387904.0 * 1.9375;  // below 2^63
    range(-large, large, large, DataType::I64)
        .expect(TestTensor({2}, DataType::I64, {-large, 0.0}));
}

TEST(Range, RefusalsNameTheCause) {
    range(0, 5, 0, DataType::I64).expect_refused("delta", {5});
    range(5, 0, 1, DataType::I64).expect_refused("[0]", {0});
    range(0, 5, 1, DataType::U8).expect_refused("u8", {5});

    OperatorCase variable("Range");
    variable.constant(TestTensor({}, DataType::I64));
    variable.input(TestTensor({}, DataType::I64));
    variable.constant(TestTensor({}, DataType::I64, {1}));
    variable.expect_refused("operand 1", {5});
}

}  // namespace
}  // namespace emulsion
