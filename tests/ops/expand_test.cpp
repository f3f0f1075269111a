#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"
#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(Expand, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const std::vector<int64_t> shape = random.shape(static_cast<int>(random.integer(0, 5)), 4);
        const TestTensor x = random.tensor(random_broadcastable(random, shape), any_type(random));
        // The list may say 1 where the operand is longer, or leave leading axes to it.
        std::vector<int64_t> written = shape;
        for (size_t back = 1; back <= x.shape.size(); back++) {
            if (x.shape[x.shape.size() - back] == shape[shape.size() - back] && random.flip()) {
                written[shape.size() - back] = 1;
            }
        }
        if (x.shape == shape && random.flip()) {
            written.erase(written.begin(),
                          written.begin() + random.integer(0, static_cast<int64_t>(shape.size())));
        }
        OperatorCase test("Expand");
        test.input(x);
        test.constant(int_list(written));
        TestTensor y(shape, x.type);
        for_each_coordinate(shape, [&](const Coordinates &at) { y.at(at) = broadcast_at(x, at); });
        test.expect(y);
    });
}

TEST(Expand, RefusalsNameTheCause) {
    OperatorCase shape("Expand");
    shape.input(TestTensor({2, 3}, DataType::F32));
    shape.constant(int_list({2, 4}));
    shape.expect_refused("[2, 4]", {2, 4});

    OperatorCase variable("Expand");
    variable.input(TestTensor({2, 3}, DataType::F32));
    variable.input(TestTensor({2}, DataType::I64));
    variable.expect_refused("operand 1", {2, 3});
}

}  // namespace
}  // namespace emulsion
