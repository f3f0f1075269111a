#include <gtest/gtest.h>

#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

OperatorCase reshape(const TestTensor &x, const std::vector<int64_t> &shape) {
    OperatorCase test("Reshape");
    test.input(x);
    test.constant(TestTensor({static_cast<int64_t>(shape.size())}, DataType::I64,
                             {shape.begin(), shape.end()}));
    return test;
}

// The prime factors of `count`, regrouped at random, with axes of extent 1 in between.
std::vector<int64_t> random_factors(Random &random, int64_t count) {
    std::vector<int64_t> shape;
    for (int64_t factor = 2; count > 1;) {
        if (count % factor != 0) {
            factor++;
            continue;
        }
        count /= factor;
        const auto at = random.integer(0, static_cast<int64_t>(shape.size()));
        if (random.flip() || shape.empty()) {
            shape.insert(shape.begin() + at, factor);
        } else {
            shape[static_cast<size_t>(at == 0 ? 0 : at - 1)] *= factor;
        }
    }
    if (random.flip()) {
        shape.insert(shape.begin() + random.integer(0, static_cast<int64_t>(shape.size())), 1);
    }
    return shape;
}

TEST(Reshape, KeepsTheOrderOfElements) {
    for_random_cases([](Random &random) {
        const int64_t count = random.choose<int64_t>({1, 12, 24, 36, 60, 64});
        const TestTensor x =
            random.tensor(random_factors(random, count),
                          random.choose({DataType::F32, DataType::I64, DataType::Bool}));
        const std::vector<int64_t> shape = random_factors(random, count);
        // The same shape, written with the symbols that ONNX has for it.
        std::vector<int64_t> written = shape;
        for (size_t i = 0; i < shape.size() && i < x.shape.size(); i++) {
            written[i] = shape[i] == x.shape[i] && random.flip() ? 0 : shape[i];
        }
        if (!shape.empty() && random.flip()) {
            const auto last = static_cast<int64_t>(shape.size()) - 1;
            written[static_cast<size_t>(random.integer(0, last))] = -1;
        }
        reshape(x, written).expect(TestTensor(shape, x.type, x.values));
    });
}

TEST(Reshape, RefusalsNameTheShape) {
    const TestTensor x({2, 3}, DataType::F32);
    reshape(x, {4, -1}).expect_refused("[4, -1]", {4, 2});
    reshape(x, {-1, -1}).expect_refused("at most one -1", {2, 3});
    reshape(x, {-2, -3}).expect_refused("[-2, -3]", {2, 3});
    reshape(x, {7}).expect_refused("[7]", {7});
    reshape(x, {2, 3, 0}).expect_refused("position 2", {2, 3, 1});
    reshape(x, {int64_t{1} << 40, int64_t{1} << 40}).expect_refused("2^63-1", {2, 3});

    OperatorCase zero = reshape(x, {0, 3});
    zero.attribute("allowzero", int64_t{1});
    zero.expect_refused("[0, 3]", {2, 3});

    OperatorCase variable("Reshape");
    variable.input(x);
    variable.input(TestTensor({1}, DataType::I64));
    variable.expect_refused("operand 1", {6});
}

}  // namespace
}  // namespace emulsion
