#include "autoscheduler/machine.h"

#include <gtest/gtest.h>

namespace emulsion {

TEST(MachineOfATarget, HasItsVectorsAndRegisters) {
    struct Case {
        const char *target;
        int vector_bytes, registers;
    };
    for (const Case &c :
         {Case{"x86-64-linux", 16, 16}, Case{"x86-64-linux-sse41", 16, 16},
          Case{"x86-64-linux-avx-avx2-fma-f16c-sse41", 32, 16},
          Case{"x86-64-linux-avx-avx2-avx512-avx512_skylake-f16c-fma-sse41", 64, 32}}) {
        const Machine any = machine_of(Halide::Target(c.target), 3);
        const CpuMachine &machine = any.cpu();
        EXPECT_EQ(c.vector_bytes, machine.vector_bytes) << c.target;
        EXPECT_EQ(c.registers, machine.vector_registers) << c.target;
        EXPECT_EQ(3, machine.threads);
        EXPECT_EQ(c.vector_bytes / 4, machine.lanes(4));
    }
}

TEST(MachineOfATarget, HasThePrivateCacheOfTheProcessorThatTheTargetNames) {
    EXPECT_EQ(512 << 10,
              machine_of(Halide::Target("x86-64-linux-avx2-tune_znver3"), 1).cpu().l2_bytes);
    EXPECT_EQ(1 << 20,
              machine_of(Halide::Target("x86-64-linux-avx2-tune_znver4"), 1).cpu().l2_bytes);
    EXPECT_EQ(
        2 << 20,
        machine_of(Halide::Target("x86-64-linux-avx2-avx512_sapphirerapids"), 1).cpu().l2_bytes);
    EXPECT_EQ(CpuMachine().l2_bytes,
              machine_of(Halide::Target("x86-64-linux-avx2"), 1).cpu().l2_bytes);
}

}  // namespace emulsion
