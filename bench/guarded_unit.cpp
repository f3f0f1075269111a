#include "bench/guarded_unit.h"

#include <algorithm>

#include "bench/unit_sitting.h"

namespace emulsion {

GuardedUnit::GuardedUnit(const PlannedNetwork &network, size_t launch, uint64_t seed)
    : buffers_(network.launches[launch].unit, input_sources(network, network.launches[launch]),
               seed, memory_, memory_, memory_) {
    for (const UnitBuffers::Copy &copy : buffers_.copies()) {
        std::copy(copy.from.begin(), copy.from.end(), copy.to.begin());
    }
    std::fill(buffers_.output_memory().begin(), buffers_.output_memory().end(), std::byte{0xff});
}

}  // namespace emulsion
