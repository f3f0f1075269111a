#include "tests/ops/elementwise_reference.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace emulsion {

namespace {

void prepare_case(OperatorCase &test, const Prepare &prepare) {
    if (prepare) {
        prepare(test);
    }
}

DataType choose_type(Random &random, const TypeList &types) {
    return types.at(static_cast<size_t>(random.integer(0, static_cast<int64_t>(types.size()) - 1)));
}

// The function of the elements of operands that are broadcast to each other.
TestTensor map_broadcast(const std::vector<TestTensor> &operands, DataType result,
                         const std::function<double(const std::vector<double> &)> &function) {
    TestTensor y(broadcast_result(operands), result);
    for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
        std::vector<double> elements;
        for (const TestTensor &x : operands) {
            elements.push_back(broadcast_at(x, at));
        }
        y.at(at) = function(elements);
    });
    return y;
}

std::vector<TestTensor> random_operands(Random &random, int64_t count, DataType type) {
    const std::vector<int64_t> full = random.shape(static_cast<int>(random.integer(0, 5)), 4);
    std::vector<TestTensor> operands;
    for (int64_t i = 0; i < count; i++) {
        operands.push_back(random.tensor(random_broadcastable(random, full), type));
    }
    return operands;
}

TestTensor row(DataType type, const std::vector<double> &values) {
    return {{static_cast<int64_t>(values.size())}, type, values};
}

}  // namespace

TestTensor map(const TestTensor &x, const std::function<double(double)> &function) {
    TestTensor y = x;
    for (double &value : y.values) {
        value = function(value);
    }
    return y;
}

double broadcast_at(const TestTensor &x, const std::vector<int64_t> &at) {
    std::vector<int64_t> own(at.end() - static_cast<ptrdiff_t>(x.shape.size()), at.end());
    for (size_t i = 0; i < own.size(); i++) {
        own[i] = x.shape[i] == 1 ? 0 : own[i];
    }
    return x.at(own);
}

std::vector<int64_t> random_broadcastable(Random &random, const std::vector<int64_t> &to) {
    std::vector<int64_t> shape = to;
    for (int64_t &extent : shape) {
        extent = random.integer(0, 2) == 0 ? 1 : extent;
    }
    const int64_t dropped =
        random.flip() ? 0 : random.integer(0, static_cast<int64_t>(shape.size()));
    shape.erase(shape.begin(), shape.begin() + dropped);
    return shape;
}

std::vector<int64_t> broadcast_result(const std::vector<TestTensor> &operands) {
    std::vector<int64_t> shape;
    for (const TestTensor &x : operands) {
        if (x.shape.size() > shape.size()) {
            shape.insert(shape.begin(), x.shape.size() - shape.size(), 1);
        }
        for (size_t i = 0; i < x.shape.size(); i++) {
            int64_t &extent = shape[shape.size() - x.shape.size() + i];
            extent = std::max(extent, x.shape[i]);
        }
    }
    return shape;
}

void test_unary(const UnaryTest &test) {
    for_random_cases([&](Random &random) {
        const DataType type = choose_type(random, test.types);
        const std::vector<int64_t> shape = random.shape(static_cast<int>(random.integer(0, 5)), 4);
        const TestTensor x = is_float(type) ? random.tensor(shape, type, test.lowest, test.highest)
                                            : random.tensor(shape, type);
        TestTensor y = map(x, test.function);
        y.type = test.result.value_or(type);
        OperatorCase operator_case(test.type);
        prepare_case(operator_case, test.prepare);
        operator_case.input(x);
        operator_case.expect(y);
    });
}

void test_values(const std::string &type, DataType element, const std::vector<double> &x,
                 const std::vector<double> &y, const Prepare &prepare) {
    OperatorCase operator_case(type);
    prepare_case(operator_case, prepare);
    operator_case.input(row(element, x));
    operator_case.expect(row(element, y));
}

void test_relative(const std::string &type, double tolerance, const std::vector<double> &x,
                   const std::function<double(double)> &function) {
    TestTensor operand = row(DataType::F32, x);
    operand =
        map(operand, [](double value) { return static_cast<double>(static_cast<float>(value)); });
    OperatorCase operator_case(type);
    operator_case.tolerance(1.2e-38, tolerance);
    operator_case.input(operand);
    operator_case.expect(map(operand, function));
}

void test_unary_refusal(const std::string &type, DataType refused, const Prepare &prepare) {
    OperatorCase operator_case(type);
    prepare_case(operator_case, prepare);
    operator_case.input(TestTensor({2}, refused));
    operator_case.expect_refused(std::string(to_string(refused)), {2});
}

void test_binary(const BinaryTest &test) {
    for_random_cases([&](Random &random) {
        const DataType type = choose_type(random, test.types);
        const std::vector<TestTensor> operands = random_operands(random, 2, type);
        OperatorCase operator_case(test.type);
        prepare_case(operator_case, test.prepare);
        operator_case.input(operands[0]);
        operator_case.input(operands[1]);
        operator_case.expect(
            map_broadcast(operands, test.result.value_or(type),
                          [&](const std::vector<double> &x) { return test.function(x[0], x[1]); }));
    });
}

void test_pairs(const std::string &type, DataType element, const std::vector<double> &a,
                const std::vector<double> &b, const std::vector<double> &c,
                std::optional<DataType> result, const Prepare &prepare) {
    OperatorCase operator_case(type);
    prepare_case(operator_case, prepare);
    operator_case.input(row(element, a));
    operator_case.input(row(element, b));
    operator_case.expect(row(result.value_or(element), c));
}

void test_binary_refusals(const std::string &type, DataType accepted, DataType refused,
                          const Prepare &prepare) {
    OperatorCase shapes(type);
    prepare_case(shapes, prepare);
    shapes.input(TestTensor({2, 3}, accepted));
    shapes.input(TestTensor({2, 2}, accepted));
    shapes.expect_refused("[2, 2]", {2, 3});

    OperatorCase types(type);
    prepare_case(types, prepare);
    types.input(TestTensor({2, 3}, accepted));
    types.input(TestTensor({2, 3}, refused));
    types.expect_refused(std::string(to_string(refused)), {2, 3});

    OperatorCase both(type);
    prepare_case(both, prepare);
    both.input(TestTensor({2, 3}, refused));
    both.input(TestTensor({2, 3}, refused));
    both.expect_refused(std::string(to_string(refused)), {2, 3});

    OperatorCase missing(type);
    prepare_case(missing, prepare);
    missing.input(TestTensor({2, 3}, accepted));
    missing.expect_refused("operand 1", {2, 3});
}

void test_variadic(const std::string &type, const TypeList &types,
                   const std::function<double(const std::vector<double> &)> &function) {
    for_random_cases([&](Random &random) {
        const DataType element = choose_type(random, types);
        const std::vector<TestTensor> operands =
            random_operands(random, random.integer(1, 4), element);
        OperatorCase operator_case(type);
        for (const TestTensor &x : operands) {
            operator_case.input(x);
        }
        operator_case.expect(map_broadcast(operands, element, function));
    });

    OperatorCase mixed(type);
    mixed.input(TestTensor({2}, DataType::F32));
    mixed.input(TestTensor({2}, DataType::F32));
    mixed.input(TestTensor({2}, DataType::F64));
    mixed.expect_refused("f64", {2});
}

}  // namespace emulsion
