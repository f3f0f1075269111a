#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Transpose, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(0, 5));
        const TestTensor x = random.tensor(random.shape(rank, 4), any_type(random));
        std::vector<int64_t> perm;
        for (int i = 0; i < rank; i++) {
            perm.insert(perm.begin() + random.integer(0, i), i);
        }
        OperatorCase test("Transpose");
        test.input(x);
        if (random.integer(0, 3) == 0) {
            std::sort(perm.rbegin(), perm.rend());
        } else {
            test.attribute("perm", perm);
        }
        std::vector<int64_t> shape;
        for (const int64_t axis : perm) {
            shape.push_back(x.shape[static_cast<size_t>(axis)]);
        }
        test.expect(moved(x, shape, [&](const Coordinates &at) {
            Coordinates from(at.size());
            for (size_t i = 0; i < at.size(); i++) {
                from[static_cast<size_t>(perm[i])] = at[i];
            }
            return from;
        }));
    });
}

TEST(Transpose, RefusalsNamePerm) {
    for (const std::vector<int64_t> &perm : {std::vector<int64_t>{0}, {0, 0}, {0, 2}, {0, 1, 2}}) {
        OperatorCase test("Transpose");
        test.input(TestTensor({2, 3}, DataType::F32));
        test.attribute("perm", perm);
        test.expect_refused("perm", {3, 2});
    }
}

}  // namespace
}  // namespace emulsion
