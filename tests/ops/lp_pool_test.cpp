#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/window_reference.h"

namespace emulsion {
namespace {

TEST(LpPool, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const RandomWindows windows = random_windows(random, true);
        const TestTensor x =
            random.tensor(windows.input_shape(random.integer(1, 2), random.integer(1, 3)),
                          random.choose({DataType::F32, DataType::F64}));
        const int64_t p = random.integer(1, 3);
        const auto power = static_cast<double>(p);
        TestTensor y(windows.output_shape(x.shape[0], x.shape[1]), x.type);
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            double sum = 0.0;
            for_each_coordinate(windows.all(&ReferenceWindow::kernel), [&](const auto &tap) {
                const std::vector<int64_t> positions = windows.positions(from_axis(at, 2), tap);
                if (windows.inside(positions)) {
                    sum += std::pow(std::abs(x.at(joined({at[0], at[1]}, positions))), power);
                }
            });
            y.at(at) = std::pow(sum, 1.0 / power);
        });
        OperatorCase test("LpPool");
        test.input(x);
        windows.set_attributes(test, random, true);
        if (p != 2 || random.flip()) {
            test.attribute("p", p);
        }
        test.expect(y);
    });
}

TEST(LpPool, RefusalsNameTheCause) {
    const auto pool = [](DataType type) {
        OperatorCase test("LpPool");
        test.input(TestTensor({1, 2, 5}, type));
        test.attribute("kernel_shape", std::vector<int64_t>{3});
        return test;
    };
    pool(DataType::I8).expect_refused("i8", {1, 2, 3});
    OperatorCase power = pool(DataType::F32);
    power.attribute("p", int64_t{0});
    power.expect_refused("attribute p", {1, 2, 3});
}

}  // namespace
}  // namespace emulsion
