#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Cast, ConvertsBetweenTypes) {
    const std::vector<std::pair<int64_t, DataType>> types = {
        {1, DataType::F32},  {2, DataType::U8},   {3, DataType::I8},  {4, DataType::U16},
        {5, DataType::I16},  {6, DataType::I32},  {7, DataType::I64}, {9, DataType::Bool},
        {11, DataType::F64}, {12, DataType::U32}, {13, DataType::U64}};
    // Every type to a random one.
    for_random_cases([&](Random &random) {
        for (const auto &[from_number, from] : types) {
            const auto &[number, to] = types[static_cast<size_t>(
                random.integer(0, static_cast<int64_t>(types.size()) - 1))];
            // Unsigned results: no negative numbers here.
            const TestTensor x = from == DataType::Bool ? random.tensor({9}, from)
                                                        : random.tensor({9}, from, 0.0, 100.0);
            OperatorCase test("Cast");
            test.attribute("to", number);
            test.input(x);
            const DataType type = to;
            TestTensor y = map(x, [type](double value) {
                return type == DataType::Bool  ? (value != 0.0 ? 1.0 : 0.0)
                       : type == DataType::F32 ? static_cast<double>(static_cast<float>(value))
                       : is_float(type)        ? value
                                               : std::trunc(value);
            });
            y.type = type;
            SCOPED_TRACE(std::string(to_string(from)) + " to " + std::string(to_string(type)));
            test.expect(y);
        }
    });
}

TEST(Cast, RoundsTowardsZeroAndWrapsAround) {
    const auto cast = [](DataType from, const std::vector<double> &x, int64_t number, DataType to,
                         const std::vector<double> &y) {
        const auto count = static_cast<int64_t>(x.size());
        OperatorCase test("Cast");
        test.attribute("to", number);
        test.input(TestTensor({count}, from, x));
        test.expect(TestTensor({count}, to, y));
    };
    cast(DataType::F32, {-1.75, -0.5, 1.75}, 6, DataType::I32, {-1.0, 0.0, 1.0});
    cast(DataType::F64, {-1.75, 3e9}, 7, DataType::I64, {-1.0, 3e9});
    cast(DataType::F32, {-1.0, 300.0}, 2, DataType::U8, {255.0, 44.0});
    cast(DataType::F32, {3e9, -1.0}, 12, DataType::U32, {3e9, 4294967295.0});
    cast(DataType::I32, {-1.0, 300.0}, 3, DataType::I8, {-1.0, 44.0});
    cast(DataType::I8, {-1.0}, 13, DataType::U64, {18446744073709551616.0});
    cast(DataType::F64, {1e300, kNan, -kInfinity}, 1, DataType::F32, {kInfinity, kNan, -kInfinity});
    cast(DataType::F32, {kNan, -0.0, 1e-40, 0.25}, 9, DataType::Bool, {1.0, 0.0, 1.0, 1.0});
}

TEST(Cast, RefusalNamesTheAttribute) {
    OperatorCase test("Cast");
    test.attribute("to", int64_t{10});
    test.input(TestTensor({2}, DataType::F32));
    test.expect_refused("attribute to", {2});
}

}  // namespace
}  // namespace emulsion
