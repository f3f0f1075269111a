#include "bench/tuning/unit_calls.h"

#include "bench/guarded_unit.h"

namespace emulsion {

UnitCalls::UnitCalls(const PlannedNetwork &candidates, const CompileOptions &options,
                     const std::vector<size_t> &alive, uint64_t seed)
    : candidates_(candidates), seed_(seed), library_(candidates, options),
      sitting_(candidates, library_, alive, seed, UnitSitting::Inputs::Same) {
    for (size_t i = 0; i < alive.size(); i++) {
        position_[alive[i]] = i;
    }
}

std::string UnitCalls::check(size_t candidate) {
    GuardedUnit guarded(candidates_, candidate, seed_);
    library_.call(candidate, guarded.arguments());
    return guarded.is_intact() ? same_.check(guarded.output()) : "it writes outside of its result";
}

}  // namespace emulsion
