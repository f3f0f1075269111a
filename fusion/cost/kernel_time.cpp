#include "fusion/cost/kernel_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fusion/cost/overlap.h"

namespace emulsion {

namespace {

// Waves of a SIMD that hide each other's latencies, with a few independent loads in each.
constexpr double kHidingWaves = 2.0;
// Cycles of a compute unit to start a workgroup.
constexpr double kWorkgroupCycles = 100.0;

}  // namespace

double kernel_cycles(const Gpu &gpu, const KernelWork &work) {
    const int fitting = workgroups_per_unit(gpu, work.threads, work.registers, work.lds_bytes);
    if (fitting == 0) {
        return std::numeric_limits<double>::infinity();
    }
    const double waves = std::ceil(static_cast<double>(work.threads) / gpu.wavefront);
    const double per_unit = std::ceil(work.workgroups / gpu.compute_units);
    const double resident = waves * std::min(per_unit, static_cast<double>(fitting));
    const double hidden = std::min(1.0, resident / (kHidingWaves * gpu.simds));
    const double cycles = overlapped(work.cycles, work.lds_read_bytes / gpu.lds_bytes_per_cycle);
    const double computing = per_unit * (cycles + kWorkgroupCycles) / hidden;
    // Few workgroups can't draw on all of the second-level cache's bandwidth.
    const double busy = std::min<double>(work.workgroups, gpu.compute_units);
    const double l2_rate = std::min(gpu.l2_bytes_per_cycle, busy * gpu.l1_bytes_per_cycle * hidden);
    const double traffic = std::max(work.workgroups * work.read_bytes / l2_rate,
                                    work.memory_bytes / gpu.memory_bytes_per_cycle);
    return overlapped(computing, traffic);
}

}  // namespace emulsion
