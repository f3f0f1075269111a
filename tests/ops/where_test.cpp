
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Where, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type =
            random.choose({DataType::F32, DataType::F64, DataType::I8, DataType::I64, DataType::U8,
                           DataType::U64, DataType::Bool});
        const std::vector<int64_t> full = random.shape(static_cast<int>(random.integer(0, 4)), 4);
        const std::vector<TestTensor> x = {
            random.tensor(random_broadcastable(random, full), DataType::Bool),
            random.tensor(random_broadcastable(random, full), type),
            random.tensor(random_broadcastable(random, full), type)};
        TestTensor y(broadcast_result(x), type);
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            y.at(at) =
                broadcast_at(x[0], at) != 0.0 ? broadcast_at(x[1], at) : broadcast_at(x[2], at);
        });
        OperatorCase test("Where");
        for (const TestTensor &each : x) {
            test.input(each);
        }
        test.expect(y);
    });
}

TEST(Where, RefusalsNameTheType) {
    OperatorCase condition("Where");
    condition.input(TestTensor({2}, DataType::U8));
    condition.input(TestTensor({2}, DataType::F32));
    condition.input(TestTensor({2}, DataType::F32));
    condition.expect_refused("u8", {2}, DataType::F32);

    OperatorCase mixed("Where");
    mixed.input(TestTensor({2}, DataType::Bool));
    mixed.input(TestTensor({2}, DataType::F32));
    mixed.input(TestTensor({2}, DataType::F64));
    mixed.expect_refused("f64", {2}, DataType::F32);
}

}  // namespace
}  // namespace emulsion
