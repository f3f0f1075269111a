#include <limits>

#include <gtest/gtest.h>

#include "tests/ops/window_reference.h"

namespace emulsion {
namespace {

TEST(MaxPool, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const RandomWindows windows = random_windows(random, true);
        const auto &[h, w] = std::tie(windows.h, windows.w);
        const DataType type =
            random.choose({DataType::F32, DataType::F64, DataType::I8, DataType::U8});
        const TestTensor x =
            random.tensor({random.integer(1, 2), random.integer(1, 3), h.input, w.input}, type);
        const double lowest = type == DataType::I8   ? -128.0
                              : type == DataType::U8 ? 0.0
                                                     : -std::numeric_limits<double>::infinity();
        TestTensor y({x.shape[0], x.shape[1], h.output, w.output}, type);
        for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
            double largest = lowest;
            for (int64_t kh = 0; kh < h.kernel; kh++) {
                for (int64_t kw = 0; kw < w.kernel; kw++) {
                    const int64_t row = h.position(at[2], kh);
                    const int64_t column = w.position(at[3], kw);
                    if (h.inside(row) && w.inside(column)) {
                        largest = std::max(largest, x.at({at[0], at[1], row, column}));
                    }
                }
            }
            y.at(at) = largest;
        });
        OperatorCase test("MaxPool");
        test.input(x);
        windows.set_attributes(test, random, true);
        test.expect(y);
    });
}

OperatorCase valid_pool() {
    OperatorCase test("MaxPool");
    test.input(TestTensor({1, 2, 5, 5}, DataType::F32));
    test.attribute("kernel_shape", std::vector<int64_t>{3, 3});
    return test;
}

TEST(MaxPool, RefusalsNameTheCause) {
    valid_pool().expect_refused("Indices", {1, 2, 3, 3}, 2);

    OperatorCase missing("MaxPool");
    missing.input(TestTensor({1, 2, 5, 5}, DataType::F32));
    missing.expect_refused("kernel_shape", {1, 2, 3, 3});

    for (const std::string key : {"kernel_shape", "strides", "dilations"}) {
        OperatorCase length = valid_pool();
        length.attribute(key, std::vector<int64_t>{1, 1, 1});
        length.expect_refused(key, {1, 2, 3, 3});
        OperatorCase zero = valid_pool();
        zero.attribute(key, std::vector<int64_t>{1, 0});
        zero.expect_refused(key, {1, 2, 3, 3});
    }

    OperatorCase rank("MaxPool");
    rank.input(TestTensor({1, 2, 5}, DataType::F32));
    rank.attribute("kernel_shape", std::vector<int64_t>{3});
    rank.expect_refused("rank 3", {1, 2, 3});

    OperatorCase type("MaxPool");
    type.input(TestTensor({1, 2, 5, 5}, DataType::I32));
    type.attribute("kernel_shape", std::vector<int64_t>{3, 3});
    type.expect_refused("i32", {1, 2, 3, 3});
}

}  // namespace
}  // namespace emulsion
