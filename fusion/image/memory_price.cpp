#include "fusion/image/memory_price.h"

namespace emulsion {

namespace {

// What all cores together may count on of the shared cache.
constexpr double kSharedCacheShare = 0.5;
// Larger allocations are new pages of the system's in every call (glibc: mallopt(3), M_MMAP_THRESHOLD).
constexpr double kLargestKeptAllocation = 32.0 * 1024 * 1024;

}  // namespace

double bytes_per_cycle(double bytes, double sharers, const CpuMachine &machine) {
    if (bytes <= kCacheShare * static_cast<double>(machine.l2_bytes)) {
        return machine.private_bytes_per_cycle;
    }
    const bool shared =
        bytes * sharers <= kSharedCacheShare * static_cast<double>(machine.l3_bytes);
    return shared ? machine.shared_bytes_per_cycle : machine.memory_bytes_per_cycle;
}

double traffic(const ImageStage &stage, size_t definitions, const Extents &region) {
    return 2.0 * static_cast<double>(definitions) * product(region) * stage.element_bytes;
}

double traffic(const ImageStage &stage, const Extents &region) {
    return traffic(stage, stage.definitions.size(), region);
}

double new_page_cycles(double bytes, const CpuMachine &machine) {
    return bytes > kLargestKeptAllocation ? bytes * machine.new_page_cycles : 0.0;
}

double storing_cycles(const ImageStage &stage, size_t definitions, const CpuMachine &machine) {
    const Extents extents(stage.extents.begin(), stage.extents.end());
    const double bytes = product(extents) * stage.element_bytes;
    return (traffic(stage, definitions, extents) / bytes_per_cycle(bytes, 1.0, machine) +
            (stage.is_output ? 0.0 : new_page_cycles(bytes, machine))) /
           machine.threads;
}

double storing_cycles(const ImageStage &stage, const CpuMachine &machine) {
    return storing_cycles(stage, stage.definitions.size(), machine);
}

}  // namespace emulsion
