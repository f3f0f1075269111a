#include <gtest/gtest.h>

#include <limits>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Trilu, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const TestTensor x = random.tensor(random.shape(static_cast<int>(random.integer(2, 4)), 5),
                                           any_type(random));
        const bool has_k = random.flip();
        const int64_t k = has_k ? random.integer(-6, 6) : 0;
        const bool upper = random.flip();
        OperatorCase test("Trilu");
        if (!upper || random.flip()) {
            test.attribute("upper", int64_t{upper});
        }
        test.input(x);
        if (has_k) {
            test.constant(TestTensor({}, DataType::I64, {static_cast<double>(k)}));
        }
        TestTensor y = x;
        for_each_coordinate(x.shape, [&](const Coordinates &at) {
            const int64_t diagonal = at[at.size() - 1] - at[at.size() - 2];
            if (upper ? diagonal < k : diagonal > k) {
                y.at(at) = 0.0;
            }
        });
        test.expect(y);
    });
}

TEST(Trilu, FarDiagonalsKeepAllOrNothing) {
    const TestTensor x({2, 2}, DataType::F32, {1, 2, 3, 4});
    for (const double k : {9e18, -9e18}) {
        OperatorCase test("Trilu");
        test.input(x);
        test.constant(TestTensor({}, DataType::I64, {k}));
        test.expect(k < 0 ? x : TestTensor({2, 2}, DataType::F32));
    }
}

TEST(Trilu, RefusalsNameTheCause) {
    OperatorCase rank("Trilu");
    rank.input(TestTensor({2}, DataType::F32));
    rank.expect_refused("rank 1", {2});

    OperatorCase variable("Trilu");
    variable.input(TestTensor({2, 2}, DataType::F32));
    variable.input(TestTensor({}, DataType::I64));
    variable.expect_refused("operand 1", {2, 2});
}

}  // namespace
}  // namespace emulsion
