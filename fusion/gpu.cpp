#include "fusion/gpu.h"

#include <algorithm>

namespace emulsion {

namespace {

int64_t round_up(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

int64_t waves_of(const Gpu &gpu, int threads) {
    return round_up(std::max(threads, 1), gpu.wavefront) / gpu.wavefront;
}

}  // namespace

int workgroups_per_unit(const Gpu &gpu, int threads, int registers, int64_t lds_bytes) {
    const int64_t waves = waves_of(gpu, threads);
    const int64_t given = round_up(std::max(registers, 1), gpu.register_granule);
    if (given > gpu.most_vector_registers || lds_bytes > gpu.lds_bytes) {
        return 0;
    }
    // A workgroup's waves are dealt out to the SIMDs in turn, and all of it has to fit.
    const int64_t by_registers = std::min<int64_t>(gpu.vector_registers / given, gpu.most_waves);
    int64_t workgroups = by_registers * gpu.simds / waves;
    if (lds_bytes > 0) {
        workgroups = std::min(workgroups, gpu.lds_bytes / round_up(lds_bytes, gpu.lds_granule));
    }
    return static_cast<int>(workgroups);
}

int most_registers(const Gpu &gpu, int threads) {
    const int64_t waves = round_up(waves_of(gpu, threads), gpu.simds) / gpu.simds;  // of a SIMD
    const int64_t most = std::min<int64_t>(gpu.vector_registers / waves, gpu.most_vector_registers);
    return static_cast<int>(most / gpu.register_granule * gpu.register_granule);
}

int waves_per_simd(const Gpu &gpu, int threads, int registers, int64_t lds_bytes) {
    const int64_t waves =
        workgroups_per_unit(gpu, threads, registers, lds_bytes) * waves_of(gpu, threads);
    return static_cast<int>(round_up(waves, gpu.simds) / gpu.simds);
}

}  // namespace emulsion
