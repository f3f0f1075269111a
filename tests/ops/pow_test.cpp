#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Pow, OfRealsEqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const DataType exponent =
            random.choose({DataType::F32, DataType::F64, DataType::I8, DataType::I32, DataType::I64,
                           DataType::U8, DataType::U64});
        const TestTensor a = random.tensor({4, 3}, type, 0.5, 3.0);
        const TestTensor b = random.tensor({3}, exponent, 0.0, 5.0);
        TestTensor c = a;
        for (size_t i = 0; i < c.values.size(); i++) {
            c.values[i] = std::pow(c.values[i], b.values[i % 3]);
        }
        OperatorCase test("Pow");
        test.input(a);
        test.input(b);
        test.expect(c);
    });
}

TEST(Pow, WithKnownExponentsEqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const DataType type = random.choose({DataType::F32, DataType::F64});
        const double exponent =
            random.choose({0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, -1.0, 0.5, -0.5, 2.5});
        const TestTensor x = random.tensor(random.shape(2, 4), type, 0.25, 3.0);
        OperatorCase test("Pow");
        test.input(x);
        test.constant(TestTensor({1}, type, {exponent}));
        test.expect(map(x, [&](double value) { return std::pow(value, exponent); }));
    });
}

// The nearest f32, also where a smaller power is one that f32 doesn't have.
TEST(Pow, WithWholeExponentsIsRoundedOnce) {
    constexpr double kHalfUlp = 0x1p-24;  // relative, at most
    for (const double exponent : {4.0, 5.0, 6.0, 7.0, 8.0}) {
        for_random_cases([&](Random &random) {
            TestTensor x = random.tensor({257}, DataType::F32, -3.0, 3.0);
            x.values[0] = 1e4, x.values[1] = -1e4, x.values[2] = 1e-4, x.values[3] = -0.0;
            OperatorCase test("Pow");
            test.input(x);
            test.constant(TestTensor({1}, DataType::F32, {exponent}));
            test.tolerance(0.0, 1.01 * kHalfUlp);
            test.expect(map(
                x, [&](double value) { return std::pow(static_cast<float>(value), exponent); }));
        });
    }
}

TEST(Pow, OfIntegersIsExact) {
    test_pairs("Pow", DataType::I32, {2.0, -3.0, 7.0, 2.0, 0.0}, {10.0, 3.0, 0.0, -1.0, 0.0},
               {1024.0, -27.0, 1.0, 0.0, 1.0});
    test_pairs("Pow", DataType::I64, {2.0, 3.0}, {50.0, 20.0}, {1125899906842624.0, 3486784401.0});
}

TEST(Pow, OfNegativeBasesWithIntegerExponents) {
    test_pairs("Pow", DataType::F32, {-2.0, -2.0, -2.0, 0.0}, {2.0, 3.0, -1.0, 0.0},
               {4.0, -8.0, -0.5, 1.0});
}

TEST(Pow, OfSpecialValuesIsThatOfTheCLibrary) {
    const std::vector<double> values = {
        0.0,  -0.0,  1.0,        -1.0,        0.5, -0.5,  2.0,       -2.0,       3.0, -3.0,
        1e30, 1e-42, 16777217.0, -16777216.0, 2.5, -1e30, kInfinity, -kInfinity, kNan};
    std::vector<double> a, b, c;
    for (const double x : values) {
        for (const double y : values) {
            a.push_back(static_cast<double>(static_cast<float>(x)));
            b.push_back(static_cast<double>(static_cast<float>(y)));
            c.push_back(static_cast<double>(static_cast<float>(std::pow(a.back(), b.back()))));
        }
    }
    test_pairs("Pow", DataType::F32, a, b, c);
}

TEST(Pow, RefusalsNameTheType) {
    OperatorCase base("Pow");
    base.input(TestTensor({2}, DataType::U8));
    base.input(TestTensor({2}, DataType::F32));
    base.expect_refused("u8", {2});

    OperatorCase exponent("Pow");
    exponent.input(TestTensor({2}, DataType::F32));
    exponent.input(TestTensor({2}, DataType::Bool));
    exponent.expect_refused("bool", {2});
}

}  // namespace
}  // namespace emulsion
