#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Tile, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(0, 4));
        const TestTensor x = random.tensor(random.shape(rank, 4), any_type(random));
        const std::vector<int64_t> repeats = random.shape(rank, 3);
        std::vector<int64_t> shape = x.shape;
        for (size_t i = 0; i < shape.size(); i++) {
            shape[i] *= repeats[i];
        }
        OperatorCase test("Tile");
        test.input(x);
        test.constant(int_list(repeats));
        test.expect(moved(x, shape, [&](Coordinates at) {
            for (size_t i = 0; i < at.size(); i++) {
                at[i] %= x.shape[i];
            }
            return at;
        }));
    });
}

TEST(Tile, RefusalsNameTheRepeats) {
    for (const std::vector<int64_t> &repeats :
         {std::vector<int64_t>{2}, {1, 0}, {1, -1}, {1, 1, 1}}) {
        OperatorCase test("Tile");
        test.input(TestTensor({2, 3}, DataType::F32));
        test.constant(int_list(repeats));
        test.expect_refused("operand repeats", {2, 3});
    }
    OperatorCase huge("Tile");
    huge.input(TestTensor({2, 3}, DataType::F32));
    huge.constant(int_list({int64_t{1} << 62, 1}));
    huge.expect_refused("2^63-1", {2, 3});
}

}  // namespace
}  // namespace emulsion
