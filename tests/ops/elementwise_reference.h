// References of element-wise operators.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/ops/operator_harness.h"

namespace emulsion {

using Prepare = std::function<void(OperatorCase &)>;  // sets attributes
using TypeList = std::vector<DataType>;

inline const TypeList kTestedFloats = {DataType::F32, DataType::F64};
inline const TypeList kTestedIntegers = {DataType::I8, DataType::I16, DataType::I32, DataType::I64,
                                         DataType::U8, DataType::U16, DataType::U32, DataType::U64};
inline const TypeList kTestedNumbers = {DataType::F32, DataType::F64, DataType::I8, DataType::I16,
                                        DataType::I32, DataType::I64, DataType::U8, DataType::U16,
                                        DataType::U32, DataType::U64};
inline const TypeList kTestedBools = {DataType::Bool};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// `function` of every element.
TestTensor map(const TestTensor &x, const std::function<double(double)> &function);
// The element of `x` that numpy's broadcasting puts at `at` of a larger result.
double broadcast_at(const TestTensor &x, const std::vector<int64_t> &at);
// A shape that broadcasts to `to`: leading axes dropped, others set to 1, at random.
std::vector<int64_t> random_broadcastable(Random &random, const std::vector<int64_t> &to);
// The shape of the result of operands that are broadcast to each other.
std::vector<int64_t> broadcast_result(const std::vector<TestTensor> &operands);

// The operator `type` computes `function` of every element, on random operands of `types`. Reals are
// from [lowest, highest]. The result has type `result`, by default that of the operand.
struct UnaryTest {
    std::string type;
    TypeList types;
    std::function<double(double)> function;
    double lowest = -4.0;
    double highest = 4.0;
    std::optional<DataType> result = {};
    Prepare prepare = {};
};
void test_unary(const UnaryTest &test);
// It computes y of x: for values of which random operands have few.
void test_values(const std::string &type, DataType element, const std::vector<double> &x,
                 const std::vector<double> &y, const Prepare &prepare = {});
// Like test_values, with relative tolerance only.
void test_relative(const std::string &type, double tolerance, const std::vector<double> &x,
                   const std::function<double(double)> &function);
// It refuses operands of type `refused`, and says so.
void test_unary_refusal(const std::string &type, DataType refused, const Prepare &prepare = {});

// The operator `type` computes `function` of pairs of elements, on random broadcast operands.
struct BinaryTest {
    std::string type;
    TypeList types;
    std::function<double(double, double)> function;
    std::optional<DataType> result = {};
    Prepare prepare = {};
};
void test_binary(const BinaryTest &test);
void test_pairs(const std::string &type, DataType element, const std::vector<double> &a,
                const std::vector<double> &b, const std::vector<double> &c,
                std::optional<DataType> result = {}, const Prepare &prepare = {});
// It refuses shapes that don't fit, operands of different types, an absent operand, and operands of
// type `refused`.
void test_binary_refusals(const std::string &type, DataType accepted, DataType refused,
                          const Prepare &prepare = {});

// The operator `type` computes `function` of the elements of one or more broadcast operands.
void test_variadic(const std::string &type, const TypeList &types,
                   const std::function<double(const std::vector<double> &)> &function);

}  // namespace emulsion
