#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Squeeze, KeepsTheOrderOfElements) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(0, 5));
        std::vector<int64_t> shape = random.shape(rank, 3);
        const std::vector<int64_t> dropped = some_axes(random, rank);
        const bool listed = random.flip();
        std::vector<int64_t> written;
        for (const int64_t axis : dropped) {
            shape[static_cast<size_t>(axis)] = 1;
            written.push_back(either_end(random, axis, rank));
        }
        const TestTensor x = random.tensor(shape, any_type(random));
        std::vector<int64_t> left;
        for (int axis = 0; axis < rank; axis++) {
            const bool drop = listed ? std::count(dropped.begin(), dropped.end(), axis) != 0
                                     : shape[static_cast<size_t>(axis)] == 1;
            if (!drop) {
                left.push_back(shape[static_cast<size_t>(axis)]);
            }
        }
        OperatorCase test("Squeeze");
        test.input(x);
        if (listed) {
            test.constant(int_list(written));
        }
        test.expect(TestTensor(left, x.type, x.values));
    });
}

TEST(Squeeze, RefusalsNameTheAxis) {
    for (const std::vector<int64_t> &axes : {std::vector<int64_t>{1}, {0, 0}, {0, -2}, {2}}) {
        OperatorCase test("Squeeze");
        test.input(TestTensor({1, 3}, DataType::F32));
        test.constant(int_list(axes));
        test.expect_refused("operand axes", {3});
    }
}

}  // namespace
}  // namespace emulsion
