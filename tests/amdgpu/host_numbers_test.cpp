#include "backend/amdgpu/host_numbers.h"

#include <gtest/gtest.h>

#include "backend/amdgpu/launches.h"
#include "pipelines.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

Expr number(const std::string &name) { return Variable::make(Halide::Int(32), name); }

Expr size() { return Load::make(Halide::Int(32), "size", 0, {}, {}, const_true(), {}); }

Stmt store_size(const Expr &e) { return Store::make("size", e, 0, {}, const_true(), {}); }

Stmt loop(const Expr &extent, const Stmt &body) {
    return For::make("i", 0, extent, ForType::Serial, Halide::Partition::Auto,
                     Halide::DeviceAPI::None, body);
}

// Of what the edges cut off, the tiles at both ends have less.
Halide::Module clamped_tiles() {
    Halide::ImageParam in(Halide::Float(32), 1, "in");
    Halide::Var x("x"), xb("xb"), xi("xi");
    Halide::Func tile("tile"), out("out");
    tile(x) = in(x)*0.5F;
    out(x) = tile(Halide::clamp(x - 3, 0, 1023)) + tile(Halide::clamp(x + 3, 0, 1023));
    out.bound(x, 0, 1024).split(x, xb, xi, 64).gpu_blocks(xb).gpu_threads(xi);
    tile.compute_at(out, xb).store_in(Halide::MemoryType::GPUShared).gpu_threads(x);
    return Halide::Pipeline(out).compile_to_module({in}, "clamped_tiles", opencl_target());
}

}  // namespace

TEST(HostNumbers, AreTheLargestThatALoopStores) {
    HostNumbers numbers;
    numbers.allocate("size");
    numbers.carry_out(store_size(0));
    numbers.carry_out(loop(5, LetStmt::make("t", number("i") * (4 - number("i")),
                                            store_size(Max::make(size(), number("t") + 10)))));
    EXPECT_EQ(14, numbers.value(size()));
    EXPECT_EQ(56, numbers.value(size() * 4));
    EXPECT_EQ(std::nullopt, numbers.value(number("i")));
}

TEST(HostNumbers, AreUnknownWhereTheyDependOnOthers) {
    HostNumbers numbers;
    numbers.allocate("size");
    EXPECT_EQ(std::nullopt, numbers.value(size()));
    numbers.carry_out(store_size(7));
    EXPECT_EQ(7, numbers.value(size()));
    numbers.carry_out(loop(number("n"), store_size(8)));
    EXPECT_EQ(std::nullopt, numbers.value(size()));
    numbers.carry_out(store_size(7));
    numbers.carry_out(IfThenElse::make(number("n") > 0, store_size(8)));
    EXPECT_EQ(std::nullopt, numbers.value(size()));
    numbers.free("size");
    EXPECT_FALSE(numbers.has("size"));
}

TEST(HostNumbers, AreTheLdsAndTheScalarsOfALaunch) {
    const std::vector<KernelLaunch> launches = collect_launches(clamped_tiles());
    ASSERT_EQ(1u, launches.size());
    EXPECT_EQ(std::nullopt, constant_value(launches[0].lds_bytes));
    EXPECT_EQ(4 * (64 + 6), launches[0].computed_lds_bytes);
    for (const LaunchArgument &argument : launches[0].arguments) {
        EXPECT_EQ(!argument.is_buffer && argument.name != "in.min.0", argument.number.has_value())
            << argument.name;
    }
}

}  // namespace emulsion
