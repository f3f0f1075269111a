// What the planner and the reports know of a GPU: how many threads run where, what they share, and how fast
// its parts are. Terms are AMD's: a *compute unit* runs workgroups; it has a few *SIMDs*, each of which keeps
// several *waves* (wavefronts) in flight and issues for one of them per cycle; the waves of a workgroup share
// its *LDS* (OpenCL's local memory).
#pragma once

#include <cstdint>

namespace emulsion {

struct Gpu {
    int compute_units = 0;  // 0: there is no GPU
    int wavefront = 64;     // lanes of a wave
    int simds = 4;          // of a compute unit
    int simd_lanes = 16;    // of a SIMD: multiply-adds per cycle

    // Waves that a SIMD keeps at most; vector registers that it has for each lane of them all, that one
    // wave can address, and in steps of which they are given out.
    int most_waves = 10;
    int vector_registers = 256;
    int most_vector_registers = 256;
    int register_granule = 4;

    // LDS of a compute unit, and in steps of which it is given out. A workgroup may have kMostLdsBytes.
    int64_t lds_bytes = 64 << 10;
    int64_t lds_granule = 512;

    // Bytes per cycle: of a compute unit from its LDS and from its first-level cache; of all together from
    // the second-level cache and from memory.
    double lds_bytes_per_cycle = 128.0;
    double l1_bytes_per_cycle = 64.0;
    double l2_bytes_per_cycle = 1024.0;
    double memory_bytes_per_cycle = 512.0;
    int64_t l1_bytes = 16 << 10;
    int64_t l2_bytes = 4 << 20;  // or the last cache before memory, where there is a larger one

    // Microseconds from one kernel of a stream to the next, and gigabytes per second between the host's
    // memory and the GPU's.
    double launch_microseconds = 4.0;
    double host_gigabytes_per_second = 12.0;

    bool operator==(const Gpu &) const = default;
};

// Threads and bytes of LDS of a workgroup, on every chip there is code for.
inline constexpr int kMostWorkgroupThreads = 1024;
inline constexpr int64_t kMostLdsBytes = 64 << 10;

// Elements of a thread that are computed as one vector, at most. What kernels read or write in vectors has to
// begin at a multiple of as many elements.
inline constexpr int64_t kGpuVector = 4;

// Workgroups of `threads`, whose waves have `registers` vector registers each and which have `lds_bytes` of LDS,
// that a compute unit keeps at a time: as many as fit into registers, LDS and `most_waves`. 0: not even one.
int workgroups_per_unit(const Gpu &gpu, int threads, int registers, int64_t lds_bytes);

// Vector registers that each wave of a workgroup of `threads` may have, so that one workgroup fits into a compute unit:
// compilers put into memory what a kernel would need beyond.
int most_registers(const Gpu &gpu, int threads);

// The waves of these that a SIMD keeps, where most of them are: what is called occupancy.
int waves_per_simd(const Gpu &gpu, int threads, int registers, int64_t lds_bytes);

}  // namespace emulsion
