#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

// Position in 0 .. count-1 that stands for `i`, or -1 for the constant; one step at a time.
int64_t source(int64_t i, int64_t count, const std::string &mode) {
    while (i < 0 || i >= count) {
        if (mode == "constant") {
            return -1;
        }
        if (mode == "edge" || (mode == "reflect" && count == 1)) {
            return i < 0 ? 0 : count - 1;
        }
        if (mode == "wrap") {
            i += i < 0 ? count : -count;
        } else {
            i = i < 0 ? -i : 2 * (count - 1) - i;
        }
    }
    return i;
}

TEST(Pad, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 4));
        const TestTensor x = random.tensor(random.shape(rank, 5), any_type(random));
        const auto mode = random.choose<std::string>({"constant", "edge", "reflect", "wrap"});
        const bool has_axes = random.flip();
        std::vector<int64_t> axes = some_axes(random, rank);
        if (!has_axes) {
            axes.clear();
            for (int axis = 0; axis < rank; axis++) {
                axes.push_back(axis);
            }
        }
        // Cropped first, then padded.
        std::vector<int64_t> first(x.shape.size(), 0), count = x.shape, before(x.shape.size(), 0);
        std::vector<int64_t> shape = x.shape, pads(2 * axes.size());
        for (size_t i = 0; i < axes.size(); i++) {
            const auto a = static_cast<size_t>(axes[i]);
            const int64_t crop_before = random.flip() ? 0 : random.integer(0, count[a] - 1);
            const int64_t crop_after =
                random.flip() ? 0 : random.integer(0, count[a] - crop_before - 1);
            before[a] = crop_before == 0 ? random.integer(0, 7) : 0;
            const int64_t after = crop_after == 0 ? random.integer(0, 7) : 0;
            first[a] = crop_before;
            count[a] -= crop_before + crop_after;
            shape[a] = before[a] + count[a] + after;
            pads[i] = before[a] - crop_before;
            pads[axes.size() + i] = after - crop_after;
            axes[i] = either_end(random, axes[i], rank);
        }
        const bool has_value = random.flip();
        const TestTensor value =
            random.tensor(random.flip() ? std::vector<int64_t>{} : std::vector<int64_t>{1}, x.type);
        OperatorCase test("Pad");
        test.attribute("mode", mode);
        test.input(x);
        test.constant(int_list(pads));
        if (has_value && random.flip()) {
            test.constant(value);
        } else if (has_value) {
            test.input(value);
        } else {
            test.absent_input();
        }
        if (has_axes) {
            test.constant(int_list(axes));
        }
        TestTensor y(shape, x.type);
        for_each_coordinate(shape, [&](const Coordinates &at) {
            Coordinates from;
            bool inside = true;
            for (size_t i = 0; i < at.size(); i++) {
                const int64_t position = source(at[i] - before[i], count[i], mode);
                inside = inside && position >= 0;
                from.push_back(first[i] + position);
            }
            y.at(at) = inside ? x.at(from) : has_value ? value.values[0] : 0.0;
        });
        test.expect(y);
    });
}

OperatorCase pad(const std::vector<int64_t> &pads) {
    OperatorCase test("Pad");
    test.input(TestTensor({2, 3}, DataType::F32));
    test.constant(int_list(pads));
    return test;
}

TEST(Pad, RefusalsNameTheCause) {
    pad({1, 1, 1}).expect_refused("operand pads", {3, 4});
    pad({-2, 0, 0, 0}).expect_refused("operand pads", {1, 3});
    pad({-1, 0, -1, 0}).expect_refused("operand pads", {1, 3});
    pad({int64_t{1} << 62, 0, int64_t{1} << 62, 0}).expect_refused("operand pads", {2, 3});

    OperatorCase mode = pad({0, 0, 0, 0});
    mode.attribute("mode", std::string("mirror"));
    mode.expect_refused("mirror", {2, 3});

    OperatorCase value = pad({0, 0, 1, 1});
    value.constant(TestTensor({2}, DataType::F32));
    value.expect_refused("operand 2", {3, 4});

    OperatorCase type = pad({0, 0, 1, 1});
    type.constant(TestTensor({}, DataType::F64));
    type.expect_refused("f64", {3, 4});

    OperatorCase axes = pad({1, 1});
    axes.absent_input();
    axes.constant(int_list({2}));
    axes.expect_refused("operand axes", {2, 3});

    OperatorCase variable("Pad");
    variable.input(TestTensor({2}, DataType::F32));
    variable.input(TestTensor({2}, DataType::I64));
    variable.expect_refused("operand 1", {2});
}

}  // namespace
}  // namespace emulsion
