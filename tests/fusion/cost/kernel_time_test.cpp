#include "fusion/cost/kernel_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fusion/chips.h"

namespace emulsion {

namespace {

// Workgroups of so many waves that each hides the others' latencies.
KernelWork busy(double workgroups, double cycles) {
    return {.workgroups = workgroups, .threads = 512, .registers = 64, .cycles = cycles};
}

class KernelTime : public testing::Test {
protected:
    Gpu gpu = find_chip("gfx906").gpu;
    double time(const KernelWork &work) const { return kernel_cycles(gpu, work); }
};

}  // namespace

TEST_F(KernelTime, WorkgroupsAreDealtOutInWholeNumbers) {
    const double one_each = time(busy(gpu.compute_units, 1e6));
    EXPECT_DOUBLE_EQ(one_each, time(busy(1, 1e6)));
    EXPECT_DOUBLE_EQ(2.0 * one_each, time(busy(gpu.compute_units + 1, 1e6)));
}

TEST_F(KernelTime, AWaveAloneHidesNothing) {
    KernelWork alone = busy(1, 1e6);
    alone.threads = gpu.wavefront;
    EXPECT_DOUBLE_EQ(8.0 * time(busy(1, 1e6)), time(alone));
}

TEST_F(KernelTime, RegistersAndLdsLimitTheWavesThatHideEachOther) {
    KernelWork work = busy(100.0 * gpu.compute_units, 1e4);
    work.threads = 64;
    const double many = time(work);
    work.registers = 256;
    EXPECT_DOUBLE_EQ(2.0 * many, time(work));
    work.registers = 64;
    work.lds_bytes = 32 << 10;  // two workgroups of a wave for a compute unit
    EXPECT_DOUBLE_EQ(4.0 * many, time(work));
}

TEST_F(KernelTime, ReadingLdsAndComputingOverlap) {
    KernelWork work = busy(gpu.compute_units, 1e6);
    const double computing = time(work);
    work.lds_read_bytes = 1e5 * gpu.lds_bytes_per_cycle;
    EXPECT_LT(time(work), computing + 1e5);
    work.lds_read_bytes = 2e6 * gpu.lds_bytes_per_cycle;
    EXPECT_GT(time(work), 2e6);
}

TEST_F(KernelTime, WhatFitsNowhereTakesForEver) {
    KernelWork work = busy(1, 1.0);
    work.threads = 1024;
    work.registers = 128;
    EXPECT_TRUE(std::isinf(time(work)));
}

TEST_F(KernelTime, TrafficOfMemoryIsSharedByAll) {
    KernelWork work = busy(gpu.compute_units, 0.0);
    work.memory_bytes = 1e9;
    EXPECT_NEAR(1e9 / gpu.memory_bytes_per_cycle, time(work), 1000.0);
}

TEST_F(KernelTime, FewWorkgroupsReadTheSecondLevelCacheNoFasterThanTheirUnitsCan) {
    KernelWork work = busy(1, 0.0);
    work.read_bytes = 1e6;
    EXPECT_NEAR(1e6 / gpu.l1_bytes_per_cycle, time(work), 1000.0);
    work.workgroups = gpu.compute_units;
    EXPECT_NEAR(gpu.compute_units * 1e6 / gpu.l2_bytes_per_cycle, time(work), 1000.0);
}

}  // namespace emulsion
