#include "tests/ops/arg_reference.h"

#include <gtest/gtest.h>

namespace emulsion {

TestTensor reference_arg(const TestTensor &x, size_t axis, bool last,
                         const std::function<bool(double, double)> &better) {
    std::vector<int64_t> shape = x.shape;
    shape[axis] = 1;
    TestTensor result(shape, DataType::I64);
    for_each_coordinate(shape, [&](const std::vector<int64_t> &at) {
        std::vector<int64_t> best = at;
        std::vector<int64_t> here = at;
        for (here[axis] = 0; here[axis] < x.shape[axis]; here[axis]++) {
            if (last ? !better(x.at(best), x.at(here)) : better(x.at(here), x.at(best))) {
                best = here;
            }
        }
        result.at(at) = static_cast<double>(best[axis]);
    });
    return result;
}

void test_arg(const std::string &type, const std::function<bool(double, double)> &better) {
    for_random_cases([&](Random &random) {
        const int rank = static_cast<int>(random.integer(1, 5));
        const auto axis = static_cast<size_t>(random.integer(0, rank - 1));
        std::vector<int64_t> shape = random.shape(rank, 4);
        shape[axis] = random.integer(1, 40);
        const TestTensor x = random.tensor(
            shape, random.choose({DataType::F32, DataType::F64, DataType::I8, DataType::I16,
                                  DataType::I32, DataType::I64, DataType::U8, DataType::U16,
                                  DataType::U32, DataType::U64}));
        const bool last = random.flip();
        const bool keep = random.flip();
        TestTensor y = reference_arg(x, axis, last, better);
        if (!keep) {
            y.shape.erase(y.shape.begin() + static_cast<ptrdiff_t>(axis));
        }
        OperatorCase test(type);
        test.input(x);
        const auto signed_axis = static_cast<int64_t>(axis);
        if (axis != 0 || random.flip()) {
            test.attribute("axis", random.flip() ? signed_axis : signed_axis - rank);
        }
        if (last || random.flip()) {
            test.attribute("select_last_index", int64_t{last ? 1 : 0});
        }
        if (!keep || random.flip()) {
            test.attribute("keepdims", int64_t{keep ? 1 : 0});
        }
        test.expect(y);
    });
}

void test_arg_refusals(const std::string &type) {
    OperatorCase axis(type);
    axis.input(TestTensor({2, 3}, DataType::F32));
    axis.attribute("axis", int64_t{2});
    axis.expect_refused("attribute axis", {1, 3});

    OperatorCase scalar(type);
    scalar.input(TestTensor({}, DataType::F32));
    scalar.expect_refused("attribute axis", {});

    OperatorCase element(type);
    element.input(TestTensor({2, 3}, DataType::Bool));
    element.expect_refused("bool", {1, 3});

    // Positions are i64; refused cases declare the type of operand 0.
    OperatorCase result(type);
    result.input(TestTensor({2, 3}, DataType::F32));
    result.expect_refused("i64", {1, 3});
}

}  // namespace emulsion
