#include <gtest/gtest.h>

#include "tests/ops/window_reference.h"

namespace emulsion {
namespace {

TEST(AveragePool, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const RandomWindows windows = random_windows(random, true);
        const bool include_pad = random.flip();
        const TestTensor x =
            random.tensor(windows.input_shape(random.integer(1, 2), random.integer(1, 3)),
                          random.choose({DataType::F32, DataType::F64}));
        TestTensor y(windows.output_shape(x.shape[0], x.shape[1]), x.type);
        const auto counts = [&](const std::vector<int64_t> &positions) {
            bool result = true;
            for (size_t i = 0; i < positions.size(); i++) {
                const ReferenceWindow &axis = windows.axes[i];
                result = result && (include_pad ? positions[i] < axis.input + axis.after
                                                : axis.inside(positions[i]));
            }
            return result;
        };
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            double sum = 0.0;
            int count = 0;
            for_each_coordinate(windows.all(&ReferenceWindow::kernel), [&](const auto &tap) {
                const std::vector<int64_t> positions = windows.positions(from_axis(at, 2), tap);
                count += counts(positions) ? 1 : 0;
                if (windows.inside(positions)) {
                    sum += x.at(joined({at[0], at[1]}, positions));
                }
            });
            y.at(at) = count > 0 ? sum / count : 0.0;
        });
        OperatorCase test("AveragePool");
        test.input(x);
        windows.set_attributes(test, random, true);
        if (include_pad) {
            test.attribute("count_include_pad", int64_t{1});
        }
        test.expect(y);
    });
}

// Numbers of ONNX Runtime and of the ONNX reference: the last window reaches over the padding, and what
// lies beyond it does not count.
TEST(AveragePool, CountsNothingBeyondThePadding) {
    OperatorCase test("AveragePool");
    test.input(TestTensor({1, 1, 1, 6}, DataType::F32, {1, 2, 3, 4, 5, 6}));
    test.attribute("kernel_shape", std::vector<int64_t>{1, 3});
    test.attribute("strides", std::vector<int64_t>{1, 2});
    test.attribute("pads", std::vector<int64_t>{0, 1, 0, 1});
    test.attribute("ceil_mode", int64_t{1});
    test.attribute("count_include_pad", int64_t{1});
    test.expect(TestTensor({1, 1, 1, 4}, DataType::F32, {1, 3, 5, 3}));
}

// Numbers of ONNX Runtime: a window that is larger than the padded input by less than a stride.
TEST(AveragePool, TakesWhatThereIsOfAnOnlyWindow) {
    OperatorCase test("AveragePool");
    test.input(TestTensor({1, 2, 3, 2}, DataType::F32, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    test.attribute("kernel_shape", std::vector<int64_t>{5, 3});
    test.attribute("strides", std::vector<int64_t>{2, 3});
    test.attribute("pads", std::vector<int64_t>{1, 0, 0, 0});
    test.expect(TestTensor({1, 2, 1, 1}, DataType::F32, {3.5, 9.5}));
}

TEST(AveragePool, RefusalsNameTheCause) {
    OperatorCase type("AveragePool");
    type.input(TestTensor({1, 2, 5, 5}, DataType::I8));
    type.attribute("kernel_shape", std::vector<int64_t>{3, 3});
    type.expect_refused("i8", {1, 2, 3, 3});

    OperatorCase rank("AveragePool");
    rank.input(TestTensor({1, 2}, DataType::F32));
    rank.attribute("kernel_shape", std::vector<int64_t>{});
    rank.expect_refused("rank 2", {1, 2});

    OperatorCase pads("AveragePool");
    pads.input(TestTensor({1, 2, 5, 5}, DataType::F32));
    pads.attribute("kernel_shape", std::vector<int64_t>{3, 3});
    pads.attribute("pads", std::vector<int64_t>{1});
    pads.expect_refused("pads", {1, 2, 3, 3});
}

}  // namespace
}  // namespace emulsion
