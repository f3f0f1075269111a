// What the planner knows of the machine that the code will run on. Filled in from the target
// (autoscheduler/machine.h) and from parameters; never from the environment.
#pragma once

#include <cstdint>

namespace emulsion {

struct Machine {
    int threads = 1;             // workers that a parallel loop may use
    int vector_bytes = 16;       // width of a SIMD register
    int vector_registers = 16;   // architectural SIMD registers
    int64_t l2_bytes = 1 << 20;  // last private cache, per core

    // Lanes of one register for elements of `element_bytes`.
    int lanes(int element_bytes) const { return vector_bytes / element_bytes; }
    bool operator==(const Machine &) const = default;
};

}  // namespace emulsion
