
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(PRelu, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64, DataType::I32,
                                             DataType::I64, DataType::U32, DataType::U64});
        const TestTensor x = random.tensor(random.shape(4, 4), type);
        const TestTensor slope = random.tensor(random_broadcastable(random, x.shape), type);
        TestTensor y = x;
        for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
            y.at(at) = x.at(at) < 0.0 ? x.at(at) * broadcast_at(slope, at) : x.at(at);
        });
        OperatorCase test("PRelu");
        test.input(x);
        test.input(slope);
        test.expect(y);
    });
}

TEST(PRelu, RefusesASlopeThatIsLargerThanX) {
    OperatorCase test("PRelu");
    test.input(TestTensor({3}, DataType::F32));
    test.input(TestTensor({2, 3}, DataType::F32));
    test.expect_refused("[2, 3]", {2, 3});
}

TEST(PRelu, RefusalsNameTheCause) { test_binary_refusals("PRelu", DataType::F32, DataType::I8); }

}  // namespace
}  // namespace emulsion
