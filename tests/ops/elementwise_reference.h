// References of element-wise operators.
#pragma once

#include <functional>

#include "tests/ops/operator_harness.h"

namespace emulsion {

// `function` of every element.
inline TestTensor map(const TestTensor &x, const std::function<double(double)> &function) {
    TestTensor y = x;
    for (double &value : y.values) {
        value = function(value);
    }
    return y;
}

// The element of `x` that numpy's broadcasting puts at `at` of a larger result.
inline double broadcast_at(const TestTensor &x, const std::vector<int64_t> &at) {
    std::vector<int64_t> own(at.end() - static_cast<ptrdiff_t>(x.shape.size()), at.end());
    for (size_t i = 0; i < own.size(); i++) {
        own[i] = x.shape[i] == 1 ? 0 : own[i];
    }
    return x.at(own);
}

// A shape that broadcasts to `to`: leading axes dropped, others set to 1, at random.
inline std::vector<int64_t> random_broadcastable(Random &random, const std::vector<int64_t> &to) {
    std::vector<int64_t> shape = to;
    for (int64_t &extent : shape) {
        extent = random.integer(0, 2) == 0 ? 1 : extent;
    }
    const int64_t dropped =
        random.flip() ? 0 : random.integer(0, static_cast<int64_t>(shape.size()));
    shape.erase(shape.begin(), shape.begin() + dropped);
    return shape;
}

// Runs the operator `type`, which should compute `function` of pairs, on random broadcast operands.
inline void test_binary(const std::string &type,
                        const std::function<double(double, double)> &function) {
    for_random_cases([&](Random &random) {
        const std::vector<int64_t> full = random.shape(static_cast<int>(random.integer(0, 5)), 4);
        const DataType element =
            random.choose({DataType::F32, DataType::F32, DataType::F64, DataType::I8, DataType::I16,
                           DataType::I32, DataType::I64, DataType::U8, DataType::U16, DataType::U32,
                           DataType::U64});
        const TestTensor a = random.tensor(random_broadcastable(random, full), element);
        const TestTensor b = random.tensor(random_broadcastable(random, full), element);
        const std::vector<int64_t> &longer = a.shape.size() > b.shape.size() ? a.shape : b.shape;
        const std::vector<int64_t> &other = a.shape.size() > b.shape.size() ? b.shape : a.shape;
        std::vector<int64_t> shape = longer;
        for (size_t i = 0; i < other.size(); i++) {
            int64_t &extent = shape[longer.size() - other.size() + i];
            extent = std::max(extent, other[i]);
        }
        TestTensor y(shape, element);
        for_each_coordinate(shape, [&](const std::vector<int64_t> &at) {
            y.at(at) = function(broadcast_at(a, at), broadcast_at(b, at));
        });
        OperatorCase test(type);
        test.input(a);
        test.input(b);
        test.expect(y);
    });
}

// What the operators of test_binary refuse.
inline void test_binary_refusals(const std::string &type) {
    OperatorCase shapes(type);
    shapes.input(TestTensor({2, 3}, DataType::F32));
    shapes.input(TestTensor({2, 2}, DataType::F32));
    shapes.expect_refused("[2, 2]", {2, 3});

    OperatorCase types(type);
    types.input(TestTensor({2, 3}, DataType::F32));
    types.input(TestTensor({2, 3}, DataType::I32));
    types.expect_refused("i32", {2, 3});

    OperatorCase flags(type);
    flags.input(TestTensor({2, 3}, DataType::Bool));
    flags.input(TestTensor({2, 3}, DataType::Bool));
    flags.expect_refused("bool", {2, 3});

    OperatorCase missing(type);
    missing.input(TestTensor({2, 3}, DataType::F32));
    missing.expect_refused("operand 1", {2, 3});
}

}  // namespace emulsion
