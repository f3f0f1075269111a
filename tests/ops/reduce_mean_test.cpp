#include <gtest/gtest.h>

#include "tests/ops/mean_reference.h"

namespace emulsion {
namespace {

TEST(ReduceMean, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(0, 5));
        const TestTensor x =
            random.tensor(random.shape(rank, 4), random.choose({DataType::F32, DataType::F64}));
        std::set<int> reduced;
        std::vector<double> axes;
        for (int axis = 0; axis < rank; axis++) {
            if (random.flip()) {
                reduced.insert(axis);
                axes.insert(axes.begin(), random.flip() ? axis : axis - rank);
            }
        }
        OperatorCase test("ReduceMean");
        test.input(x);
        if (!axes.empty() || random.flip()) {
            const auto count = static_cast<int64_t>(axes.size());
            test.constant(TestTensor({count}, DataType::I64, axes));
        }
        const bool no_operation = random.flip();
        if (no_operation) {
            test.attribute("noop_with_empty_axes", int64_t{1});
        }
        for (int axis = 0; axis < rank && axes.empty() && !no_operation; axis++) {
            reduced.insert(axis);
        }
        const bool keep = random.flip();
        if (!keep || random.flip()) {
            test.attribute("keepdims", int64_t{keep ? 1 : 0});
        }
        test.expect(reference_mean(x, reduced, keep));
    });
}

TEST(ReduceMean, RefusalsNameTheCause) {
    const auto with_axes = [](std::vector<double> axes) {
        OperatorCase test("ReduceMean");
        test.input(TestTensor({2, 3}, DataType::F32));
        const auto count = static_cast<int64_t>(axes.size());
        test.constant(TestTensor({count}, DataType::I64, std::move(axes)));
        return test;
    };
    with_axes({2}).expect_refused("axes", {2, 1});
    with_axes({1, -1}).expect_refused("axes", {2, 1});

    OperatorCase variable("ReduceMean");
    variable.input(TestTensor({2, 3}, DataType::F32));
    variable.input(TestTensor({1}, DataType::I64));
    variable.expect_refused("operand 1", {2, 1});

    OperatorCase old("ReduceMean");
    old.input(TestTensor({2, 3}, DataType::F32));
    old.attribute("axes", std::vector<int64_t>{1});
    old.expect_refused("opset 18", {2, 1});

    OperatorCase type("ReduceMean");
    type.input(TestTensor({2, 3}, DataType::I64));
    type.expect_refused("i64", {1, 1});
}

}  // namespace
}  // namespace emulsion
