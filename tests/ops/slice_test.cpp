#include <gtest/gtest.h>

#include <limits>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

// Exact in the doubles that test tensors hold.
constexpr int64_t kLargest = int64_t{1} << 62;
constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();

// What numpy's x[start:end:step] reads, element by element.
std::vector<int64_t> positions(int64_t extent, int64_t start, int64_t end, int64_t step) {
    const bool down = step < 0;
    const auto bound = [&](int64_t at) {
        at += at < 0 ? extent : 0;
        return std::min(std::max<int64_t>(at, down ? -1 : 0), down ? extent - 1 : extent);
    };
    std::vector<int64_t> read;
    const int64_t stop = bound(end);
    for (int64_t at = bound(start); down ? at > stop : at < stop; at += step) {
        read.push_back(at);
        if (step > extent || step < -extent) {
            break;
        }
    }
    return read;
}

int64_t random_bound(Random &random) {
    const int64_t bound = random.integer(-8, 8);
    return bound == 8 ? kLargest : bound == -8 ? -kLargest : bound;
}

TEST(Slice, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 4));
        const TestTensor x = random.tensor(random.shape(rank, 6), any_type(random));
        const bool has_axes = random.flip();
        const bool has_steps = random.flip();
        std::vector<int64_t> sliced = some_axes(random, rank);
        if (!has_axes) {
            std::sort(sliced.begin(), sliced.end());
            for (size_t i = 0; i < sliced.size(); i++) {
                sliced[i] = static_cast<int64_t>(i);
            }
        }
        std::vector<std::vector<int64_t>> read;
        std::vector<int64_t> shape = x.shape;
        for (const int64_t extent : shape) {
            read.push_back(positions(extent, 0, extent, 1));
        }
        std::vector<int64_t> starts, ends, steps, axes;
        for (const int64_t axis : sliced) {
            const auto a = static_cast<size_t>(axis);
            do {
                starts.push_back(random_bound(random));
                ends.push_back(random_bound(random));
                steps.push_back(!has_steps ? 1
                                           : random.choose<int64_t>(
                                                 {1, 2, 3, -1, -2, -7, kLargest, kSmallest}));
                read[a] = positions(shape[a], starts.back(), ends.back(), steps.back());
                if (read[a].empty()) {
                    starts.pop_back(), ends.pop_back(), steps.pop_back();
                }
            } while (read[a].empty());
            shape[a] = static_cast<int64_t>(read[a].size());
            axes.push_back(either_end(random, axis, rank));
        }
        OperatorCase test("Slice");
        test.input(x);
        test.constant(int_list(starts));
        test.constant(int_list(ends));
        if (has_axes) {
            test.constant(int_list(axes, random.choose({DataType::I32, DataType::I64})));
        } else {
            test.absent_input();
        }
        if (has_steps) {
            test.constant(int_list(steps));
        }
        test.expect(moved(x, shape, [&](const Coordinates &at) {
            Coordinates from;
            for (size_t i = 0; i < at.size(); i++) {
                from.push_back(read[i][static_cast<size_t>(at[i])]);
            }
            return from;
        }));
    });
}

OperatorCase slice(const std::vector<int64_t> &starts, const std::vector<int64_t> &ends,
                   const std::vector<int64_t> &axes, const std::vector<int64_t> &steps) {
    OperatorCase test("Slice");
    test.input(TestTensor({4, 5}, DataType::F32));
    test.constant(int_list(starts));
    test.constant(int_list(ends));
    test.constant(int_list(axes));
    test.constant(int_list(steps));
    return test;
}

TEST(Slice, RefusalsNameTheOperand) {
    slice({0}, {1, 2}, {0}, {1}).expect_refused("operand ends", {1, 5});
    slice({0}, {1}, {0, 1}, {1}).expect_refused("operand axes", {1, 5});
    slice({0}, {1}, {2}, {1}).expect_refused("operand axes", {1, 5});
    slice({0, 0}, {1, 1}, {0, -2}, {1, 1}).expect_refused("twice", {1, 5});
    slice({0}, {1}, {0}, {0}).expect_refused("operand steps", {1, 5});
    slice({0}, {1}, {0}, {1, 1}).expect_refused("operand steps", {1, 5});
    slice({2}, {2}, {0}, {1}).expect_refused("[0, 5]", {1, 5});

    OperatorCase variable("Slice");
    variable.input(TestTensor({4}, DataType::F32));
    variable.input(TestTensor({1}, DataType::I64));
    variable.constant(int_list({2}));
    variable.expect_refused("operand 1", {2});

    OperatorCase missing("Slice");
    missing.input(TestTensor({4}, DataType::F32));
    missing.expect_refused("starts", {2});
}

}  // namespace
}  // namespace emulsion
