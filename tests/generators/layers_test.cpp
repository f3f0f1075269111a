// The libraries that add_halide_library made with AUTOSCHEDULER Emulsion::Gao2025, run and compared
// with plain loops in double precision; and the schedules they got.
#include <HalideBuffer.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "convolution_3x3.h"
#include "depthwise_separable.h"

namespace {

using Buffer = Halide::Runtime::Buffer<float>;

constexpr int kIn = 32, kOut = 64, kSize = 28;

Buffer random_buffer(const std::vector<int> &extents, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-1.0F, 1.0F);
    Buffer buffer(extents);
    buffer.for_each_value([&](float &f) { f = value(random); });
    return buffer;
}

double padded(const Buffer &input, int c, int x, int y) {
    const bool inside = x >= 0 && x < kSize && y >= 0 && y < kSize;
    return inside ? input(c, x, y, 0) : 0.0;
}

void expect_close(float actual, double expected) {
    EXPECT_LE(std::abs(actual - expected), 1e-4 + 1e-3 * std::abs(expected));
}

std::string contents(const std::string &path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST(Generators, ConvolutionScheduledByGao2025ComputesAConvolution) {
    Buffer input = random_buffer({kIn, kSize, kSize, 1}, 1);
    Buffer filter = random_buffer({kOut, kIn, 3, 3}, 2);
    Buffer bias = random_buffer({kOut}, 3);
    Buffer output(kOut, kSize, kSize, 1);
    ASSERT_EQ(convolution_3x3(input, filter, bias, output), 0);
    output.for_each_element([&](int c, int x, int y, int) {
        double sum = bias(c);
        for (int ky = 0; ky < 3; ky++) {
            for (int kx = 0; kx < 3; kx++) {
                for (int i = 0; i < kIn; i++) {
                    sum += padded(input, i, x + kx - 1, y + ky - 1) * filter(c, i, kx, ky);
                }
            }
        }
        expect_close(output(c, x, y, 0), std::max(sum, 0.0));
    });
}

TEST(Generators, DepthwiseSeparableLayerComputesBothConvolutions) {
    Buffer input = random_buffer({kIn, kSize, kSize, 1}, 4);
    Buffer depthwise = random_buffer({kIn, 3, 3}, 5);
    Buffer depthwise_bias = random_buffer({kIn}, 6);
    Buffer pointwise = random_buffer({kOut, kIn}, 7);
    Buffer pointwise_bias = random_buffer({kOut}, 8);
    Buffer output(kOut, kSize / 2, kSize / 2, 1);
    ASSERT_EQ(
        depthwise_separable(input, depthwise, depthwise_bias, pointwise, pointwise_bias, output),
        0);
    output.for_each_element([&](int c, int x, int y, int) {
        double sum = pointwise_bias(c);
        for (int i = 0; i < kIn; i++) {
            double between = depthwise_bias(i);
            for (int ky = 0; ky < 3; ky++) {
                for (int kx = 0; kx < 3; kx++) {
                    between +=
                        padded(input, i, 2 * x + kx - 1, 2 * y + ky - 1) * depthwise(i, kx, ky);
                }
            }
            sum += std::max(between, 0.0) * pointwise(c, i);
        }
        expect_close(output(c, x, y, 0), std::max(sum, 0.0));
    });
}

TEST(Generators, TheReductionIsComputedAtATileOfItsEpilogue) {
    const std::string schedule =
        contents(EMULSION_BINARY_DIR "/generators/convolution_3x3.schedule.h");
    EXPECT_NE(schedule.find(".compute_at(output"), std::string::npos) << schedule;
    EXPECT_NE(schedule.find(".vectorize("), std::string::npos);
    EXPECT_NE(schedule.find(".parallel("), std::string::npos);
}

TEST(Generators, TheDepthwisePartIsComputedAtRowsOfThePointwiseOne) {
    // For the vectors of one target: the plan depends on them.
    const std::string binaries = EMULSION_BINARY_DIR, folder = testing::TempDir();
    const std::string command =
        binaries + "/bin/emulsion_generators -g depthwise_separable -f separable -e schedule -o " +
        folder + " -p " + binaries +
        "/lib/libautoschedule_gao2025.so autoscheduler=Gao2025 autoscheduler.parallelism=2 "
        "in_channels=32 out_channels=64 width=28 height=28 stride=2 "
        "target=x86-64-linux-avx-avx2-f16c-fma-sse41";
    ASSERT_EQ(0, std::system(command.c_str())) << command;
    const std::string schedule = contents(folder + "/separable.schedule.h");
    EXPECT_NE(schedule.find(".compute_at(output, panel)"), std::string::npos) << schedule;
    EXPECT_NE(schedule.find(".compute_at(between"), std::string::npos) << schedule;
}
