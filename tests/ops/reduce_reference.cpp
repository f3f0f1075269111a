#include "tests/ops/reduce_reference.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace emulsion {

TestTensor reference_reduce(const TestTensor &x, const std::set<int> &reduced, bool keep,
                            const Reduction &reduction) {
    // Computed with reduced axes kept; dropping axes of extent 1 moves no element.
    std::vector<int64_t> kept_shape = x.shape;
    std::vector<int64_t> shape;
    for (size_t axis = 0; axis < x.shape.size(); axis++) {
        const bool reduce = reduced.count(static_cast<int>(axis)) != 0;
        if (reduce) {
            kept_shape[axis] = 1;
        }
        if (!reduce || keep) {
            shape.push_back(kept_shape[axis]);
        }
    }
    std::map<std::vector<int64_t>, std::vector<double>> elements;
    for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
        std::vector<int64_t> target = at;
        for (size_t axis = 0; axis < at.size(); axis++) {
            target[axis] = kept_shape[axis] == 1 ? 0 : at[axis];
        }
        elements[target].push_back(x.at(at));
    });
    TestTensor result(kept_shape, x.type);
    for (const auto &[target, values] : elements) {
        const double value = reduction(values);
        result.at(target) = is_float(x.type) ? value : std::trunc(value);
    }
    return TestTensor(shape, x.type, result.values);
}

void test_reduction(const std::string &type, std::initializer_list<DataType> types,
                    const Reduction &reduction, const std::function<double(double)> &prepare) {
    for_random_cases([&](Random &random) {
        const int rank = static_cast<int>(random.integer(0, 5));
        TestTensor x = random.tensor(random.shape(rank, 4), random.choose(types));
        for (double &value : x.values) {
            value = prepare ? prepare(value) : value;
        }
        std::set<int> reduced;
        std::vector<double> axes;
        for (int axis = 0; axis < rank; axis++) {
            if (random.flip()) {
                reduced.insert(axis);
                axes.insert(axes.begin(), random.flip() ? axis : axis - rank);
            }
        }
        OperatorCase test(type);
        test.input(x);
        if (random.integer(0, 3) == 0 && !axes.empty()) {
            // As before opset 18.
            test.attribute("axes", std::vector<int64_t>(axes.begin(), axes.end()));
        } else if (!axes.empty() || random.flip()) {
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
        test.expect(reference_reduce(x, reduced, keep, reduction));
    });
}

void test_reduction_refusals(const std::string &type) {
    const auto with_axes = [&](std::vector<double> axes) {
        OperatorCase test(type);
        test.input(TestTensor({2, 3}, DataType::F32));
        const auto count = static_cast<int64_t>(axes.size());
        test.constant(TestTensor({count}, DataType::I64, std::move(axes)));
        return test;
    };
    with_axes({2}).expect_refused("axes", {2, 1});
    with_axes({1, -1}).expect_refused("axes", {2, 1});
    with_axes({1}).expect_refused("[2, 1]", {2});

    OperatorCase both = with_axes({1});
    both.attribute("axes", std::vector<int64_t>{1});
    both.expect_refused("axes", {2, 1});

    OperatorCase variable(type);
    variable.input(TestTensor({2, 3}, DataType::F32));
    variable.input(TestTensor({1}, DataType::I64));
    variable.expect_refused("operand 1", {2, 1});

    OperatorCase element(type);
    element.input(TestTensor({2, 3}, DataType::U16));
    element.expect_refused("u16", {1, 1});
}

void test_global_pool(const std::string &type, const Reduction &reduction, int64_t p) {
    for_random_cases([&](Random &random) {
        const int rank = static_cast<int>(random.integer(3, 6));
        const TestTensor x =
            random.tensor(random.shape(rank, 5), random.choose({DataType::F32, DataType::F64}));
        std::set<int> spatial;
        for (int axis = 2; axis < rank; axis++) {
            spatial.insert(axis);
        }
        OperatorCase test(type);
        test.input(x);
        if (p != 0) {
            test.attribute("p", p);
        }
        test.expect(reference_reduce(x, spatial, true, reduction));
    });
    OperatorCase rank(type);
    rank.input(TestTensor({2, 3}, DataType::F32));
    rank.expect_refused("rank 3 or more", {2, 3});

    OperatorCase element(type);
    element.input(TestTensor({1, 2, 3, 3}, DataType::I32));
    element.expect_refused("i32", {1, 2, 1, 1});
}

}  // namespace emulsion
