#include "autoscheduler/machine.h"

namespace emulsion {

Machine machine_of(const Halide::Target &target, int threads) {
    using Halide::Target;
    Machine machine;
    machine.threads = threads;
    machine.vector_bytes = target.natural_vector_size<uint8_t>();
    const bool avx512 = target.features_any_of(
        {Target::AVX512, Target::AVX512_KNL, Target::AVX512_Skylake, Target::AVX512_Cannonlake,
         Target::AVX512_Zen4, Target::AVX512_Zen5, Target::AVX512_SapphireRapids, Target::AVX10_1});
    machine.vector_registers = avx512 ? 32 : 16;
    return machine;
}

}  // namespace emulsion
