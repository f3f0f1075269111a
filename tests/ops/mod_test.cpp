#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Mod, OfIntegersHasTheSignOfTheDivisor) {
    test_binary({.type = "Mod", .types = kTestedIntegers, .function = [](double a, double b) {
                     return b == 0.0 ? 0.0 : a - b * std::floor(a / b);
                 }});
}

TEST(Mod, WithFmodHasTheSignOfTheDividend) {
    test_binary({.type = "Mod",
                 .types = kTestedIntegers,
                 .function = [](double a, double b) { return b == 0.0 ? 0.0 : std::fmod(a, b); },
                 .prepare = [](OperatorCase &test) { test.attribute("fmod", int64_t{1}); }});
}

TEST(Mod, OfRealsEqualsPlainLoops) {
    test_binary({.type = "Mod",
                 .types = kTestedFloats,
                 .function = [](double a, double b) { return std::fmod(a, b); },
                 .prepare = [](OperatorCase &test) { test.attribute("fmod", int64_t{1}); }});
}

TEST(Mod, OfTheLowestIntegerByMinusOneIsZero) {
    test_pairs("Mod", DataType::I32, {-2147483648.0}, {-1.0}, {0.0});
    test_pairs("Mod", DataType::I8, {-128.0, 127.0}, {127.0, -128.0}, {126.0, -1.0});
}

double with_sign_of_divisor(double a, double b) {
    const double remainder = std::fmod(a, b);
    return remainder != 0.0 && (remainder < 0.0) != (b < 0.0) ? remainder + b : remainder;
}

TEST(Mod, OfRealsWithoutFmodHasTheSignOfTheDivisor) {
    test_binary({.type = "Mod", .types = kTestedFloats, .function = with_sign_of_divisor});
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    test_pairs("Mod", DataType::F32, {2.0, -2.0, inf, 1.0, nan, -0.5},
               {-inf, -inf, 2.0, 0.0, 1.0, 0.5}, {-inf, -2.0, nan, nan, nan, 0.0});
}

TEST(Mod, RefusalsNameTheCause) { test_binary_refusals("Mod", DataType::I32, DataType::Bool); }

}  // namespace
}  // namespace emulsion
