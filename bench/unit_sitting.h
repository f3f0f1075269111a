// Units that are called by themselves, in turns: their memory for one sitting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/huge_memory.h"
#include "bench/unit_buffers.h"
#include "frontend/lower/network.h"

namespace emulsion {

class UnitLibrary;

// Where the inputs of a launch come from, whose constants are computed.
std::vector<InputSource> input_sources(const PlannedNetwork &network, const PlannedLaunch &launch);

// Units share memory for values, as they share a network's arena; each has weights of its own, so that those of a unit
// are as cold as all others' are large.
class UnitSitting {
public:
    enum class Inputs {
        Own,   // every unit has random values of its own
        Same,  // units that compute the same have the same, and so the same results
    };

    // Of these launches of `network`, whose constants are computed. Both outlive this.
    UnitSitting(const PlannedNetwork &network, const UnitLibrary &library,
                const std::vector<size_t> &launches, uint64_t seed, Inputs inputs);

    // Milliseconds of a run of the unit of `launches[i]`. Before it, the threads of the pool copy what the unit reads
    // of other units to where it reads it. Throws Error (failed) where the unit fails.
    double run(size_t i);

private:
    const UnitLibrary &library_;
    const std::vector<size_t> launches_;
    UnitBytes bytes_;
    HugeMemory values_, originals_, cold_;
    std::span<std::byte> shared_;  // of values_
    std::vector<std::unique_ptr<UnitBuffers>> buffers_;
};

}  // namespace emulsion
