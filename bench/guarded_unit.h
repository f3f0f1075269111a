// The memory of a unit's call where each buffer lies between pages that end the process which touches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/guarded_memory.h"
#include "bench/unit_buffers.h"
#include "frontend/lower/network.h"

namespace emulsion {

class GuardedUnit {
public:
    // Of a launch of a network whose constants are computed; it outlives this. What is to be read lies there; the result
    // is full of something else.
    GuardedUnit(const PlannedNetwork &network, size_t launch, uint64_t seed);

    // The inputs, then the output.
    std::vector<void *> arguments() { return buffers_.arguments(); }
    Array output() const { return buffers_.output(); }
    // Whether nothing was written outside of the buffers, where no page was in the way.
    bool is_intact() const { return memory_.is_intact(); }

private:
    GuardedMemory memory_;
    UnitBuffers buffers_;
};

}  // namespace emulsion
