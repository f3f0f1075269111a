#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Unsqueeze, KeepsTheOrderOfElements) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(0, 6));
        std::vector<int64_t> added = some_axes(random, rank);
        std::vector<int64_t> from, to;
        for (int axis = 0; axis < rank; axis++) {
            if (std::count(added.begin(), added.end(), axis) != 0) {
                to.push_back(1);
            } else {
                from.push_back(random.integer(1, 3));
                to.push_back(from.back());
            }
        }
        for (int64_t &axis : added) {
            axis = either_end(random, axis, rank);
        }
        const TestTensor x = random.tensor(from, any_type(random));
        OperatorCase test("Unsqueeze");
        test.input(x);
        test.constant(int_list(added));
        test.expect(TestTensor(to, x.type, x.values));
    });
}

TEST(Unsqueeze, RefusalsNameTheAxis) {
    for (const std::vector<int64_t> &axes : {std::vector<int64_t>{3}, {0, 0}, {0, -4}, {-4}}) {
        OperatorCase test("Unsqueeze");
        test.input(TestTensor({2, 3}, DataType::F32));
        test.constant(int_list(axes));
        test.expect_refused("operand axes", {1, 2, 3});
    }
    OperatorCase missing("Unsqueeze");
    missing.input(TestTensor({2}, DataType::F32));
    missing.expect_refused("axes is missing", {1, 2});
}

}  // namespace
}  // namespace emulsion
