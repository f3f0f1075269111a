#include "autoscheduler/machine.h"

#include "fusion/chips.h"

namespace emulsion {

namespace {

// Of processors that a target can name or that alone have one of its features; others have what CpuMachine
// says.
int64_t l2_bytes(const Halide::Target &target, int64_t otherwise) {
    if (target.has_feature(Halide::Target::AVX512_SapphireRapids)) {
        return 2 << 20;
    }
    switch (target.processor_tune) {
    case Halide::Target::ZnVer1:
    case Halide::Target::ZnVer2:
    case Halide::Target::ZnVer3: return 512 << 10;
#if HALIDE_VERSION_MAJOR >= 21
    case Halide::Target::ZnVer5:
#endif
    case Halide::Target::ZnVer4: return 1 << 20;
    default: return otherwise;
    }
}

}  // namespace

Machine machine_of(const Halide::Target &target, int threads) {
    using Halide::Target;
    if (target.has_gpu_feature()) {
        return machine_of(find_chip(kAnyGpu));
    }
    CpuMachine machine;
    machine.threads = threads;
    machine.vector_bytes = target.natural_vector_size<uint8_t>();
    bool avx512 = target.features_any_of(
        {Target::AVX512, Target::AVX512_KNL, Target::AVX512_Skylake, Target::AVX512_Cannonlake,
         Target::AVX512_Zen4, Target::AVX512_SapphireRapids, Target::AVX10_1});
#if HALIDE_VERSION_MAJOR >= 21
    avx512 = avx512 || target.has_feature(Target::AVX512_Zen5);
#endif
    machine.vector_registers = avx512 ? 32 : 16;
    machine.l2_bytes = l2_bytes(target, machine.l2_bytes);
    return machine;
}

}  // namespace emulsion
