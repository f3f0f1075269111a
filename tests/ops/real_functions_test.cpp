// The precision that frontend/ops/support/real_functions.h states for f32.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

// Magnitudes from 1e-30 to `largest`, of both signs where `negative`, evenly in logarithm and evenly.
std::vector<double> samples(double largest, bool negative = true) {
    constexpr int kCount = 50000;
    std::vector<double> values;
    const double decades = std::log10(largest) + 30.0;
    for (int i = 0; i < kCount; i++) {
        const double part = (i + 0.5) / kCount;
        values.push_back(std::pow(10.0, part * decades - 30.0));
        values.push_back(part * largest);
    }
    const size_t count = values.size();
    for (size_t i = 0; negative && i < count; i++) {
        values.push_back(-values[i]);
    }
    return values;
}

TEST(RealFunctions, ExponentialIsPreciseInF32) {
    test_relative("Exp", 4e-7, samples(87.0), [](double x) { return std::exp(x); });
}

TEST(RealFunctions, SigmoidIsPreciseInF32) {
    test_relative("Sigmoid", 6e-7, samples(87.0),
                  [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
}

TEST(RealFunctions, HyperbolicTangentIsPreciseInF32) {
    test_relative("Tanh", 6e-7, samples(20.0), [](double x) { return std::tanh(x); });
}

TEST(RealFunctions, SoftplusIsPreciseInF32) {
    test_relative("Softplus", 6e-7, samples(87.0),
                  [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); });
}

TEST(RealFunctions, MishIsPreciseInF32) {
    test_relative("Mish", 1e-6, samples(80.0), [](double x) {
        return x * std::tanh(std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))));
    });
}

TEST(RealFunctions, ErrorFunctionIsPreciseInF32) {
    test_relative("Erf", 6e-7, samples(20.0), [](double x) { return std::erf(x); });
}

TEST(RealFunctions, LogarithmIsPreciseInF32) {
    OperatorCase test("Log");
    TestTensor x({20000}, DataType::F32);
    for (size_t i = 0; i < x.values.size(); i++) {
        const double power = -44.0 + 82.0 * static_cast<double>(i) / 20000.0;
        x.values[i] = static_cast<double>(static_cast<float>(std::pow(10.0, power)));
    }
    test.tolerance(4e-7, 4e-7);
    test.input(x);
    test.expect(map(x, [](double value) { return std::log(value); }));
}

}  // namespace
}  // namespace emulsion
