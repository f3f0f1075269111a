#include <cmath>

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

TEST(Mod, RefusesRealsWithoutFmod) {
    OperatorCase test("Mod");
    test.input(TestTensor({2}, DataType::F32));
    test.input(TestTensor({2}, DataType::F32));
    test.expect_refused("fmod", {2});
}

TEST(Mod, RefusalsNameTheCause) { test_binary_refusals("Mod", DataType::I32, DataType::Bool); }

}  // namespace
}  // namespace emulsion
