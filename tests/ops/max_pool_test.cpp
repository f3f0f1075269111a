#include <algorithm>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/ops/window_reference.h"

namespace emulsion {
namespace {

// The element of each window that is the largest, the first of equals; visits (result coordinates,
// its coordinates in x, which are empty if the window has none).
template<typename Visit>
void for_each_largest(const TestTensor &x, const RandomWindows &windows, Visit visit) {
    for_each_coordinate(windows.output_shape(x.shape[0], x.shape[1]), [&](const auto &at) {
        std::vector<int64_t> found;
        for_each_coordinate(windows.all(&ReferenceWindow::kernel), [&](const auto &tap) {
            const std::vector<int64_t> positions = windows.positions(from_axis(at, 2), tap);
            if (windows.inside(positions)) {
                const std::vector<int64_t> here = joined({at[0], at[1]}, positions);
                if (found.empty() || x.at(here) > x.at(found)) {
                    found = here;
                }
            }
        });
        visit(at, found);
    });
}

TestTensor random_image(Random &random, const RandomWindows &windows) {
    return random.tensor(windows.input_shape(random.integer(1, 2), random.integer(1, 3)),
                         random.choose({DataType::F32, DataType::F64, DataType::I8, DataType::U8}));
}

TEST(MaxPool, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const RandomWindows windows = random_windows(random, true);
        const TestTensor x = random_image(random, windows);
        const double lowest = x.type == DataType::I8   ? -128.0
                              : x.type == DataType::U8 ? 0.0
                                                       : -std::numeric_limits<double>::infinity();
        TestTensor y(windows.output_shape(x.shape[0], x.shape[1]), x.type);
        for_each_largest(x, windows, [&](const auto &at, const auto &found) {
            y.at(at) = found.empty() ? lowest : x.at(found);
        });
        OperatorCase test("MaxPool");
        test.input(x);
        windows.set_attributes(test, random, true);
        test.expect(y);
    });
}

// Integers repeat often: of equal elements the first counts.
TEST(MaxPool, IndicesAreThoseOfTheFirstLargestElement) {
    for_random_cases([](Random &random) {
        const RandomWindows windows = random_windows(random, true);
        const TestTensor x = random_image(random, windows);
        const bool column_major = random.flip();
        TestTensor y(windows.output_shape(x.shape[0], x.shape[1]), DataType::I64);
        bool all_found = true;
        for_each_largest(x, windows, [&](const auto &at, const auto &found) {
            if (found.empty()) {
                all_found = false;
                return;
            }
            std::vector<int64_t> order(x.shape.size());
            std::iota(order.begin(), order.end(), 0);
            if (column_major) {
                std::reverse(order.begin() + 2, order.end());
            }
            int64_t index = 0;
            for (const int64_t axis : order) {
                index =
                    index * x.shape[static_cast<size_t>(axis)] + found[static_cast<size_t>(axis)];
            }
            y.at(at) = static_cast<double>(index);
        });
        if (!all_found) {
            return;  // ONNX does not say where an empty window has its largest element
        }
        OperatorCase test("MaxPool");
        test.input(x);
        windows.set_attributes(test, random, true);
        if (column_major || random.flip()) {
            test.attribute("storage_order", int64_t{column_major ? 1 : 0});
        }
        test.result_index(1);
        test.expect(y);
    });
}

OperatorCase valid_pool() {
    OperatorCase test("MaxPool");
    test.input(TestTensor({1, 2, 5, 5}, DataType::F32));
    test.attribute("kernel_shape", std::vector<int64_t>{3, 3});
    return test;
}

// Numbers of ONNX Runtime: a window that is larger than the padded input by less than a stride.
TEST(MaxPool, TakesWhatThereIsOfAnOnlyWindow) {
    OperatorCase test("MaxPool");
    test.input(TestTensor({1, 2, 3, 2}, DataType::F32, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    test.attribute("kernel_shape", std::vector<int64_t>{5, 3});
    test.attribute("strides", std::vector<int64_t>{2, 3});
    test.attribute("pads", std::vector<int64_t>{1, 0, 0, 0});
    test.expect(TestTensor({1, 2, 1, 1}, DataType::F32, {6, 12}));
}

TEST(MaxPool, RefusalsNameTheCause) {
    OperatorCase order = valid_pool();
    order.attribute("storage_order", int64_t{2});
    order.expect_refused("storage_order", {1, 2, 3, 3});

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
    rank.input(TestTensor({1, 2}, DataType::F32));
    rank.attribute("kernel_shape", std::vector<int64_t>{});
    rank.expect_refused("rank 2", {1, 2});

    OperatorCase type("MaxPool");
    type.input(TestTensor({1, 2, 5, 5}, DataType::I32));
    type.attribute("kernel_shape", std::vector<int64_t>{3, 3});
    type.expect_refused("i32", {1, 2, 3, 3});
}

}  // namespace
}  // namespace emulsion
