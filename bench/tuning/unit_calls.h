// Candidates that are units of a CPU, called by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/unit_library.h"
#include "bench/tuning/candidate_trial.h"
#include "bench/tuning/same_output.h"
#include "bench/unit_sitting.h"
#include "frontend/lower/network.h"

namespace emulsion {

// The launches of a network, which compute the same, and whose constants are computed.
class UnitCalls : public CandidateCalls {
public:
    // Of these launches. Takes the units from the cache of `options`, where they have to be.
    UnitCalls(const PlannedNetwork &candidates, const CompileOptions &options,
              const std::vector<size_t> &alive, uint64_t seed);

    double run(size_t candidate) override { return sitting_->run(position_.at(candidate)); }
    // In memory where pages that end the process lie before and behind every buffer.
    std::string check(size_t candidate) override;
    void take_other_memory() override;
    // A copy there and back of what fits into a core's cache, and arithmetic, on the threads that units run on.
    ReferenceTimes reference() override;

private:
    const PlannedNetwork &candidates_;
    const uint64_t seed_;
    const UnitLibrary library_;
    const std::vector<size_t> alive_;
    std::unique_ptr<UnitSitting> sitting_;
    SameOutput same_;
    std::vector<std::byte> there_, back_;  // of what is exchanged
    std::map<size_t, size_t> position_;    // of candidates in the sitting
};

}  // namespace emulsion
