#include "fusion/gpu.h"

#include <gtest/gtest.h>

#include "fusion/chips.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

int waves(const char *chip, int threads, int registers, int64_t lds_bytes = 0) {
    return waves_per_simd(find_chip(chip).gpu, threads, registers, lds_bytes);
}

}  // namespace

// LLVM's "User Guide for AMDGPU Backend" and the makers' guides: registers of a SIMD, in steps.
TEST(WavesPerSimd, RegistersAreGivenOutInSteps) {
    EXPECT_EQ(10, waves("gfx906", 64, 24));
    EXPECT_EQ(9, waves("gfx906", 64, 28));
    EXPECT_EQ(4, waves("gfx906", 64, 64));
    EXPECT_EQ(3, waves("gfx906", 64, 65));
    EXPECT_EQ(8, waves("gfx90a", 64, 64));
    EXPECT_EQ(7, waves("gfx90a", 64, 65));
    EXPECT_EQ(16, waves("gfx1030", 64, 64));
    EXPECT_EQ(12, waves("gfx1030", 64, 65));
    EXPECT_EQ(16, waves("gfx1100", 64, 96));
    EXPECT_EQ(12, waves("gfx1100", 64, 97));
}

TEST(WavesPerSimd, AWorkgroupFitsAsAWholeOrNotAtAll) {
    EXPECT_EQ(4, waves("gfx906", 1024, 64));
    EXPECT_EQ(0, waves("gfx906", 1024, 65));
    EXPECT_EQ(2, waves("gfx906", 512, 65));
}

TEST(WavesPerSimd, WorkgroupsShareTheLdsOfTheirComputeUnit) {
    EXPECT_EQ(10, waves("gfx906", 256, 24, 6 << 10));
    EXPECT_EQ(2, waves("gfx906", 256, 24, 32 << 10));
    EXPECT_EQ(1, waves("gfx906", 256, 24, (32 << 10) + 1));
    EXPECT_EQ(1, waves("gfx906", 64, 24, 16 << 10));
    EXPECT_EQ(0, waves("gfx906", 64, 24, (64 << 10) + 1));
}

TEST(WavesPerSimd, MoreRegistersThanAWaveCanAddressFitNowhere) {
    EXPECT_EQ(0, waves("gfx906", 64, 257));
    EXPECT_EQ(1, waves("gfx90a", 64, 512));
    EXPECT_EQ(0, waves("gfx90a", 64, 513));
}

TEST(Chips, AnUnknownOneIsRefusedWithThoseThatAreKnown) {
    try {
        find_chip("gfx803");
        FAIL();
    } catch (const Error &e) {
        EXPECT_STREQ("unknown GPU 'gfx803'; known are gfx906, gfx90a, gfx942, gfx1030, gfx1100",
                     e.what());
    }
}

TEST(Chips, AMachineComputesWhatItsChipDoes) {
    for (const Chip &chip : all_chips()) {
        const Machine machine = machine_of(chip);
        EXPECT_TRUE(machine.is_gpu());
        EXPECT_EQ(chip.gpu, machine.gpu().chip);
        EXPECT_EQ(chip.gpu.compute_units, machine.cores());
        EXPECT_EQ(chip.gpu.simds * chip.gpu.simd_lanes, machine.lanes(4));
        EXPECT_NEAR(chip.gpu.launch_microseconds * chip.gigahertz * 1e3,
                    machine.gpu().launch_cycles, 1e-6);
    }
    EXPECT_FALSE(Machine().is_gpu());
}

TEST(Gpu, AWorkgroupFitsWithTheRegistersThatItMayHave) {
    for (const char *chip : {"gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100"}) {
        const Gpu gpu = find_chip(chip).gpu;
        for (int threads = 1; threads <= kMostWorkgroupThreads; threads += 31) {
            const int most = most_registers(gpu, threads);
            EXPECT_GE(workgroups_per_unit(gpu, threads, most, 0), 1) << chip << ' ' << threads;
            EXPECT_EQ(0, workgroups_per_unit(gpu, threads, most + gpu.register_granule, 0))
                << chip << ' ' << threads;
        }
    }
}

}  // namespace emulsion
