#include "backend/amdgpu/launches.h"

#include <gtest/gtest.h>

#include "backend/amdgpu/module.h"
#include "fusion/error.h"
#include "pipelines.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Internal::Call;

// A module with one call of halide_opencl_run().
Halide::Module module_with(const std::vector<Expr> &args) {
    Halide::Module module("altered", opencl_target());
    module.append(Halide::Internal::LoweredFunc(
        "altered", std::vector<Halide::Internal::LoweredArgument>{},
        Halide::Internal::Evaluate::make(
            Call::make(Halide::Int(32), "halide_opencl_run", args, Call::Extern)),
        Halide::LinkageType::External));
    return module;
}

}  // namespace

TEST(Launches, AreCollectedWithFoldedConstants) {
    const std::vector<KernelLaunch> launches = collect_launches(staged_convolution());
    ASSERT_EQ(1u, launches.size());
    const KernelLaunch &launch = launches[0];
    EXPECT_NE(std::string::npos, launch.kernel.find("yb_block_id_y"));
    EXPECT_EQ(2, constant_value(launch.grid[0]));
    EXPECT_EQ(14, constant_value(launch.grid[1]));
    EXPECT_EQ(1, constant_value(launch.grid[2]));
    EXPECT_EQ((std::array<int, 3>{16, 4, 4}), constant_block(launch));
    EXPECT_EQ(46080, constant_value(launch.lds_bytes));
    ASSERT_EQ(3u, launch.arguments.size());
    for (const LaunchArgument &argument : launch.arguments) {
        EXPECT_TRUE(argument.is_buffer);
        EXPECT_EQ(8, argument.bytes);
    }
    EXPECT_EQ("in", launch.arguments[0].name);
    EXPECT_EQ("weights", launch.arguments[2].name);
}

TEST(Launches, HaveScalarsBehindBuffersByFallingSize) {
    const std::vector<KernelLaunch> launches = collect_launches(scaling());
    ASSERT_EQ(1u, launches.size());
    int before = 8;
    bool scalars = false;
    for (const LaunchArgument &argument : launches[0].arguments) {
        EXPECT_FALSE(scalars && argument.is_buffer);
        scalars |= !argument.is_buffer;
        EXPECT_LE(argument.bytes, before);
        before = argument.bytes;
    }
    EXPECT_EQ(1, launches[0].arguments.back().bytes);
}

TEST(Launches, KnowWhatIsOnlyKnownAtRunTime) {
    const std::vector<KernelLaunch> launches = collect_launches(moving_sum());
    ASSERT_EQ(1u, launches.size());
    EXPECT_FALSE(constant_value(launches[0].lds_bytes));
    EXPECT_FALSE(kernel_shapes(launches)[0].lds_bytes);
    EXPECT_EQ((std::array<int, 3>{64, 1, 1}), constant_block(launches[0]));
    EXPECT_FALSE(constant_value(collect_launches(scaling())[0].grid[0]));
}

TEST(Launches, OfSeveralKernelsComeInTheirOrder) {
    const std::vector<KernelLaunch> launches = collect_launches(three_stages());
    ASSERT_EQ(3u, launches.size());
    EXPECT_NE(std::string::npos, launches[0].kernel.find("first"));
    EXPECT_NE(std::string::npos, launches[1].kernel.find("second"));
    EXPECT_NE(std::string::npos, launches[2].kernel.find("out"));
}

TEST(Launches, OfARewrittenModuleAreTheSame) {
    const Halide::Module module = scaling();
    const std::vector<KernelLaunch> before = collect_launches(module);
    const std::vector<KernelLaunch> after = collect_launches(with_hip_calls(module, "bundle"));
    ASSERT_EQ(before.size(), after.size());
    EXPECT_EQ(before[0].kernel, after[0].kernel);
    ASSERT_EQ(before[0].arguments.size(), after[0].arguments.size());
    for (size_t i = 0; i < before[0].arguments.size(); i++) {
        EXPECT_EQ(before[0].arguments[i].name, after[0].arguments[i].name);
    }
}

TEST(Launches, ThatDifferLeaveTheKernelsShapeOpen) {
    std::vector<KernelLaunch> launches = collect_launches(convolution());
    launches.push_back(launches[0]);
    EXPECT_TRUE(kernel_shapes(launches)[0].block);
    launches[1].block[0] = 32;
    launches[1].lds_bytes = 16;
    const std::vector<KernelShape> shapes = kernel_shapes(launches);
    ASSERT_EQ(1u, shapes.size());
    EXPECT_FALSE(shapes[0].block);
    EXPECT_FALSE(shapes[0].lds_bytes);
}

TEST(Launches, OfAnUnknownFormAreRefused) {
    EXPECT_THROW(collect_launches(module_with({1, 2})), Error);
    std::vector<Expr> args(12, Expr(1));
    EXPECT_THROW(collect_launches(module_with(args)), Error);
    args[1] = std::string("kernel");
    EXPECT_THROW(collect_launches(module_with(args)), Error);
    const auto list = [](const std::vector<Expr> &values) {
        return Call::make(Halide::Handle(), Call::make_struct, values, Call::Intrinsic);
    };
    const Expr null = Halide::reinterpret(Halide::Handle(), Halide::cast<uint64_t>(0));
    args[9] = list({Halide::cast<int64_t>(0)});
    args[10] = list({null});
    args[11] = list({Halide::cast<uint8_t>(0)});
    EXPECT_EQ(1u, collect_launches(module_with(args)).size());
    args[9] = list({Halide::cast<int64_t>(8)});  // without the zero at the end
    EXPECT_THROW(collect_launches(module_with(args)), Error);
    args[9] = list({Halide::cast<int64_t>(4), Halide::cast<int64_t>(0)});
    args[10] = list({Halide::Internal::Variable::make(Halide::Handle(), "in.buffer"), null});
    args[11] = list({Halide::cast<uint8_t>(1), Halide::cast<uint8_t>(0)});
    EXPECT_THROW(collect_launches(module_with(args)), Error);  // a buffer of 4 bytes
}

}  // namespace emulsion
