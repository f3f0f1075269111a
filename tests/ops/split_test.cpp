#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TestTensor part_of(const TestTensor &x, size_t axis, int64_t start, int64_t extent) {
    std::vector<int64_t> shape = x.shape;
    shape[axis] = extent;
    return moved(x, shape, [&](Coordinates at) {
        at[axis] += start;
        return at;
    });
}

TEST(Split, ListedPartsEqualPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 4));
        std::vector<int64_t> shape = random.shape(rank, 4);
        const auto axis = random.integer(0, rank - 1);
        std::vector<int64_t> parts;
        int64_t total = 0;
        for (int64_t i = random.integer(1, 4); i > 0; i--) {
            parts.push_back(random.integer(1, 3));
            total += parts.back();
        }
        shape[static_cast<size_t>(axis)] = total;
        const TestTensor x = random.tensor(shape, any_type(random));
        const auto index =
            static_cast<size_t>(random.integer(0, static_cast<int64_t>(parts.size()) - 1));
        int64_t start = 0;
        for (size_t i = 0; i < index; i++) {
            start += parts[i];
        }
        OperatorCase test("Split");
        test.attribute("axis", either_end(random, axis, rank));
        test.input(x);
        test.constant(int_list(parts));
        test.result_index(static_cast<int>(index));
        test.expect(part_of(x, static_cast<size_t>(axis), start, parts[index]));
    });
}

TEST(Split, TheLastOfEqualPartsMayBeSmaller) {
    const TestTensor x({7}, DataType::F32, {0, 1, 2, 3, 4, 5, 6});
    for (int64_t index = 0; index < 3; index++) {
        OperatorCase test("Split");
        test.attribute("num_outputs", int64_t{3});
        test.input(x);
        test.result_index(static_cast<int>(index));
        test.expect(part_of(x, 0, 3 * index, index == 2 ? 1 : 3));
    }
}

TEST(Split, RefusalsNameTheCause) {
    const TestTensor x({2, 4}, DataType::F32);
    for (const std::vector<int64_t> &parts :
         {std::vector<int64_t>{1, 2}, {3, 2}, {-1, 5}, {4}, {int64_t{1} << 62, int64_t{1} << 62}}) {
        OperatorCase test("Split");
        test.attribute("axis", int64_t{1});
        test.input(x);
        test.constant(int_list(parts));
        test.result_index(1);
        test.expect_refused("operand split", {2, 2});
    }

    OperatorCase count("Split");
    count.attribute("num_outputs", int64_t{1});
    count.input(x);
    count.result_index(1);
    count.expect_refused("num_outputs", {1, 4});

    // Five parts of four elements: the last one is empty.
    OperatorCase empty("Split");
    empty.attribute("axis", int64_t{1});
    empty.attribute("num_outputs", int64_t{5});
    empty.input(x);
    empty.result_index(4);
    empty.expect_refused("result 4", {2, 1});

    OperatorCase variable("Split");
    variable.input(x);
    variable.input(TestTensor({2}, DataType::I64));
    variable.expect_refused("operand 1", {1, 4});
}

}  // namespace
}  // namespace emulsion
