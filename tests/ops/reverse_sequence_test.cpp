#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(ReverseSequence, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const TestTensor x = random.tensor(random.shape(static_cast<int>(random.integer(2, 4)), 5),
                                           any_type(random));
        const int64_t batch = random.integer(0, 1);
        const auto b = static_cast<size_t>(batch);
        const size_t t = 1 - b;
        TestTensor lengths({x.shape[b]}, DataType::I64);
        for (double &length : lengths.values) {
            length = static_cast<double>(random.integer(1, x.shape[t]));
        }
        OperatorCase test("ReverseSequence");
        if (batch == 0 || random.flip()) {
            test.attribute("batch_axis", batch);
            test.attribute("time_axis", 1 - batch);
        }
        test.input(x);
        test.input(lengths);
        test.expect(moved(x, x.shape, [&](Coordinates at) {
            const auto length = static_cast<int64_t>(lengths.at({at[b]}));
            at[t] = at[t] < length ? length - 1 - at[t] : at[t];
            return at;
        }));
    });
}

TEST(ReverseSequence, WrongLengthsReadNothingOutside) {
    OperatorCase test("ReverseSequence");
    test.attribute("batch_axis", int64_t{1});
    test.attribute("time_axis", int64_t{0});
    test.input(TestTensor({2, 2}, DataType::F32, {1, 2, 3, 4}));
    test.input(TestTensor({2}, DataType::I64, {9e18, -9e18}));
    test.expect(TestTensor({2, 2}, DataType::F32, {3, 2, 1, 4}));
}

TEST(ReverseSequence, RefusalsNameTheCause) {
    OperatorCase axes("ReverseSequence");
    axes.attribute("batch_axis", int64_t{0});
    axes.input(TestTensor({2, 2}, DataType::F32));
    axes.input(TestTensor({2}, DataType::I64));
    axes.expect_refused("both 0", {2, 2});

    OperatorCase lengths("ReverseSequence");
    lengths.input(TestTensor({2, 3}, DataType::F32));
    lengths.input(TestTensor({2}, DataType::I64));
    lengths.expect_refused("operand 1", {2, 3});
}

}  // namespace
}  // namespace emulsion
