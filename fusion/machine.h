// What the planner knows of the machine that the code will run on. Filled in from the target
// (autoscheduler/machine.h), from parameters and from a calibration file that the user names; never
// from the environment. Where nothing has been measured, the figures are those of a typical current
// core: all prices start from these.
#pragma once

#include <cstdint>

#include "fusion/gpu.h"

namespace emulsion {

struct Machine {
    int threads = 1;              // workers that a parallel loop may use
    int vector_bytes = 16;        // width of a SIMD register
    int vector_registers = 16;    // architectural SIMD registers
    int64_t l2_bytes = 1 << 20;   // last private cache, per core
    int64_t l3_bytes = 16 << 20;  // the cache that the cores share

    // Bytes per cycle and core from the private cache, from the shared one and from memory.
    double private_bytes_per_cycle = 32.0;
    double shared_bytes_per_cycle = 10.0;
    double memory_bytes_per_cycle = 5.0;
    // Simple vector operations per cycle that element-wise code reaches, tails and addresses included.
    double operations_per_cycle = 1.3;
    // Cycles of the busiest core over those that a loop nest's own estimate has.
    double nest_slowdown = 1.2;
    // Cycles for an element that a loop nest reads or writes across the order in which it lies, one by one;
    // and how much longer it takes where the nest doesn't use its cache line up while it is near.
    double crossing_cycles = 1.5;
    double far_crossing_slowdown = 4.0;
    // Cycles to start a task, to start all cores on a parallel loop, and to launch a kernel at all.
    double task_cycles = 2000.0;
    double region_cycles = 10000.0;
    double launch_cycles = 1000.0;
    double gigahertz = 3.0;  // turns cycles into time

    // Where it has compute units, kernels run on these: a "core" is one of them then, `threads` is how many
    // there are, and a vector register stands for the lanes that it computes per cycle.
    Gpu gpu{};

    bool is_gpu() const { return gpu.compute_units > 0; }
    // Lanes of one register for elements of `element_bytes`.
    int lanes(int element_bytes) const { return vector_bytes / element_bytes; }
    // Bytes per cycle and core for a tensor of `bytes` that all cores walk together: of the level that it
    // stays in from one kernel to the next.
    double bytes_per_cycle(double bytes) const;
    bool operator==(const Machine &) const = default;
};

// The share of a cache that one tensor may fill and still stay there.
inline constexpr double kCacheShare = 0.7;

inline double Machine::bytes_per_cycle(double bytes) const {
    return bytes < kCacheShare * static_cast<double>(l2_bytes) * threads ? private_bytes_per_cycle
           : bytes < kCacheShare * static_cast<double>(l3_bytes)         ? shared_bytes_per_cycle
                                                                         : memory_bytes_per_cycle;
}

}  // namespace emulsion
