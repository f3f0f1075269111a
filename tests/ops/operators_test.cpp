// What holds for all operators.
#include <set>

#include <gtest/gtest.h>

#include "frontend/ops/operator.h"
#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

TEST(Operators, AreFoundByDomainAndType) {
    for (const Operator *each : all_operators()) {
        EXPECT_EQ(find_operator(each->domain, each->type), each) << each->type;
        EXPECT_EQ(find_operator("com.example", each->type), nullptr);
    }
    EXPECT_NE(find_operator("", "Conv"), nullptr);
    EXPECT_EQ(find_operator("", "conv"), nullptr);
}

TEST(Operators, HaveACheckAndNamedImplementations) {
    for (const Operator *each : all_operators()) {
        EXPECT_TRUE(each->check) << each->type;
        EXPECT_NE(each->implementations.empty(), each->compute == nullptr) << each->type;
        EXPECT_TRUE(each->compute || each->implementations.front().build) << each->type;
        EXPECT_TRUE(each->compute == nullptr || each->domain == kOwnDomain) << each->type;
        std::set<std::string> names;
        for (const Implementation &implementation : each->implementations) {
            EXPECT_TRUE(names.insert(implementation.name).second) << implementation.name;
            EXPECT_NE(implementation.build == nullptr, implementation.expand == nullptr)
                << implementation.name;
        }
    }
}

TEST(Operators, RefuseEmptyTensors) {
    OperatorCase relu("Relu");
    relu.input(TestTensor({2, 0}, DataType::F32));
    relu.expect_refused("[2, 0]", {2, 0});

    OperatorCase conv("Conv");
    conv.input(TestTensor({1, 0, 3, 3}, DataType::F32));
    conv.input(TestTensor({2, 0, 3, 3}, DataType::F32));
    conv.expect_refused("[1, 0, 3, 3]", {1, 2, 1, 1});

    OperatorCase product("MatMul");
    product.input(TestTensor({2, 3}, DataType::F32));
    product.input(TestTensor({3, 0}, DataType::F32));
    product.expect_refused("[3, 0]", {2, 0});

    OperatorCase constant("MatMul");
    constant.input(TestTensor({2, 3}, DataType::F32));
    constant.constant(TestTensor({3, 0}, DataType::F32));
    constant.expect_refused("[3, 0]", {2, 0});
}

TEST(Operators, RefuseExtentsThatCoordinatesCannotHold) {
    OperatorCase relu("Relu");
    relu.input(TestTensor({}, DataType::F32));
    relu.reshape_input(0, {int64_t{1} << 31});
    relu.expect_refused("2^31-1", {int64_t{1} << 31});
}

}  // namespace
}  // namespace emulsion
