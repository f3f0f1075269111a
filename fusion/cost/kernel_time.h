// How long a GPU takes for one kernel.
#pragma once

#include <cstdint>

#include "fusion/gpu.h"

namespace emulsion {

struct KernelWork {
    double workgroups = 1.0;
    int threads = 64;    // of a workgroup
    int registers = 32;  // vector registers of a thread
    int64_t lds_bytes = 0;
    double cycles = 0.0;          // of one workgroup on a compute unit that it and others keep busy
    double lds_read_bytes = 0.0;  // of one workgroup's lanes, all together
    double read_bytes = 0.0;      // of one workgroup, through the second-level cache
    double memory_bytes = 0.0;    // of all of them, from and to memory
};

// In the GPU's cycles, without its launch; infinity where not even one workgroup fits into a compute unit.
//
// The longest of arithmetic and LDS, second-level cache and memory (a roofline: Williams et al. 2009, "Roofline: an
// insightful visual performance model"), with two things of GPUs added. Workgroups are dealt out to the
// compute units in whole numbers, so that the busiest one counts. And where a unit has fewer waves at a time
// than it takes to hide latencies behind each other (workgroups_per_unit), its work takes longer by as much.
double kernel_cycles(const Gpu &gpu, const KernelWork &work);

}  // namespace emulsion
