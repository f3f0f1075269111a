#include "autoscheduler/kernels/opencl_doubles.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::DeviceAPI;
using Halide::Expr;

Stmt kernel(const Expr &value, DeviceAPI api = DeviceAPI::OpenCL) {
    const Stmt store =
        Store::make("result", value, 0, Halide::Parameter(), const_true(), ModulusRemainder());
    return For::make("block", 0, 8, ForType::GPUBlock, Halide::Partition::Auto, api, store);
}

Expr stored(const Stmt &statement) { return statement.as<For>()->body.as<Store>()->value; }

Expr constant(double value) { return Halide::Internal::make_const(Halide::Float(64), value); }

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST(OpenClDoubles, AreGivenByTheirBits) {
    for (const double value : {0.1, 1e300, 1e-300, kInfinity, -kInfinity}) {
        const Expr bits = stored(with_whole_doubles(kernel(constant(value))));
        const auto *op = bits.as<Reinterpret>();
        ASSERT_NE(nullptr, op) << value;
        EXPECT_TRUE(bits.type() == Halide::Float(64));
        const auto *number = op->value.as<UIntImm>();
        ASSERT_NE(nullptr, number) << value;
        EXPECT_EQ(value, std::bit_cast<double>(number->value));
    }
}

TEST(OpenClDoubles, LeavesFloatsAndOtherKernels) {
    for (const Stmt &statement : {kernel(constant(0.5)), kernel(constant(-3.0)), kernel(0.1f),
                                  kernel(constant(0.1), DeviceAPI::CUDA)}) {
        EXPECT_TRUE(with_whole_doubles(statement).same_as(statement)) << statement;
    }
}

}  // namespace emulsion::test
