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
        const Machine machine = machine_of(Halide::Target(c.target), 3);
        EXPECT_EQ(c.vector_bytes, machine.vector_bytes) << c.target;
        EXPECT_EQ(c.registers, machine.vector_registers) << c.target;
        EXPECT_EQ(3, machine.threads);
        EXPECT_EQ(c.vector_bytes / 4, machine.lanes(4));
    }
}

}  // namespace emulsion
