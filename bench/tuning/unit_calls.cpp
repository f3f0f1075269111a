#include "bench/tuning/unit_calls.h"

#include <chrono>
#include <functional>
#include <utility>

#include "backend/seconds_since.h"
#include "bench/guarded_unit.h"
#include "bench/statistics.h"

namespace emulsion {

namespace {

constexpr size_t kExchangedBytes = size_t{256} << 10;

// Of a few runs: pieces go to other threads every time.
double median_ms(const std::function<void()> &run) {
    constexpr int kRuns = 5;
    constexpr double kMsPerSecond = 1e3;
    std::vector<double> ms;
    for (int i = 0; i < kRuns; i++) {
        const auto begin = std::chrono::steady_clock::now();
        run();
        ms.push_back(seconds_since(begin) * kMsPerSecond);
    }
    return summarise(std::move(ms)).median;
}

}  // namespace

UnitCalls::UnitCalls(const PlannedNetwork &candidates, const CompileOptions &options,
                     const std::vector<size_t> &alive, uint64_t seed)
    : candidates_(candidates), seed_(seed), library_(candidates, options), alive_(alive),
      there_(kExchangedBytes), back_(kExchangedBytes) {
    for (size_t i = 0; i < alive.size(); i++) {
        position_[alive[i]] = i;
    }
    take_other_memory();
}

void UnitCalls::take_other_memory() {
    // Made before the memory of the one before it is given back, which would be taken again.
    sitting_ = std::make_unique<UnitSitting>(candidates_, library_, alive_, seed_,
                                             UnitSitting::Inputs::Same);
}

std::string UnitCalls::check(size_t candidate) {
    GuardedUnit guarded(candidates_, candidate, seed_);
    library_.call(candidate, guarded.arguments());
    return guarded.is_intact() ? same_.check(guarded.output()) : "it writes outside of its result";
}

ReferenceTimes UnitCalls::reference() {
    return {.exchange = median_ms([&] {
                library_.copy(there_, back_);
                library_.copy(back_, there_);
            }),
            .compute = median_ms([&] { library_.compute(); })};
}

}  // namespace emulsion
