#include "fusion/machine.h"

#include <gtest/gtest.h>

#include "fusion/chips.h"

namespace emulsion {

namespace {

constexpr ElementType kI8{ElementKind::Int, 8}, kI32{ElementKind::Int, 32}, kF32{};

}  // namespace

TEST(Machine, OfEitherKindAnswersWhatPricesAskOfBoth) {
    const CpuMachine cpu{.threads = 3, .vector_bytes = 32, .gigahertz = 2.0};
    EXPECT_EQ(3, Machine(cpu).cores());
    EXPECT_EQ(8, Machine(cpu).lanes(4));
    EXPECT_EQ(1, Machine(cpu).lanes(64));
    EXPECT_DOUBLE_EQ(1.0, Machine(cpu).milliseconds(2e6));
    const Chip &chip = find_chip("gfx1100");
    const Machine gpu = machine_of(chip);
    EXPECT_EQ(chip.gpu.compute_units, gpu.cores());
    EXPECT_EQ(chip.gpu.simds * chip.gpu.simd_lanes, gpu.lanes(4));
    EXPECT_DOUBLE_EQ(1.0, gpu.milliseconds(chip.gigahertz * 1e6));
}

TEST(Machine, ATensorComesFromTheNearestLevelThatHasRoomForIt) {
    const CpuMachine cpu{.threads = 2, .l2_bytes = 1 << 20, .l3_bytes = 16 << 20};
    EXPECT_EQ(cpu.private_bytes_per_cycle, Machine(cpu).bytes_per_cycle(1 << 20));
    EXPECT_EQ(cpu.shared_bytes_per_cycle, Machine(cpu).bytes_per_cycle(2 << 20));
    EXPECT_EQ(cpu.memory_bytes_per_cycle, Machine(cpu).bytes_per_cycle(16 << 20));
    EXPECT_EQ(cpu.private_bytes_per_cycle, cpu.cached_bytes_per_cycle(1 << 19));
    EXPECT_EQ(cpu.shared_bytes_per_cycle, cpu.cached_bytes_per_cycle(1 << 20));
    const Machine gpu = machine_of(find_chip("gfx906"));
    const Gpu &chip = gpu.gpu().chip;
    const auto of_all = [&](double bytes) { return gpu.bytes_per_cycle(bytes) * gpu.cores(); };
    EXPECT_DOUBLE_EQ(chip.l2_bytes_per_cycle, of_all(1 << 20));
    EXPECT_DOUBLE_EQ(chip.memory_bytes_per_cycle, of_all(4 << 20));
}

TEST(VectorRates, ElementsThatAreSummedInAnotherTypeAreConvertedAsTheyAreLoaded) {
    const CpuMachine cpu;
    EXPECT_EQ(cpu.rates(kF32, kF32).load, cpu.rates(kI32, kI32).load);
    EXPECT_LT(cpu.rates(kI32, kI32).load, cpu.rates(kI8, kI32).load);
    EXPECT_LT(cpu.rates(kI32, kI32).load, cpu.rates(kF32, kI32).load);
}

}  // namespace emulsion
