#include "bench/unit_sitting.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "backend/unit_library.h"

namespace emulsion {

namespace {

using Clock = std::chrono::steady_clock;

// Memory that was taken before, from its beginning.
class SpanMemory : public BufferMemory {
public:
    explicit SpanMemory(std::span<std::byte> bytes) : next_(bytes.data()) {}

    std::byte *take(int64_t bytes) override { return std::exchange(next_, next_ + taken(bytes)); }

private:
    std::byte *next_;
};

UnitBytes bytes_of_all(const PlannedNetwork &network, const std::vector<size_t> &launches) {
    UnitBytes all;
    for (const size_t i : launches) {
        const PlannedLaunch &launch = network.launches[i];
        const UnitBytes bytes = bytes_of(launch.unit, input_sources(network, launch));
        all.values = std::max(all.values, bytes.values);
        all.originals += bytes.originals;
        all.cold += bytes.cold;
    }
    return all;
}

}  // namespace

std::vector<InputSource> input_sources(const PlannedNetwork &network, const PlannedLaunch &launch) {
    std::vector<InputSource> sources;
    for (const int value : launch.inputs) {
        const TensorId id = network.value_tensor[static_cast<size_t>(value)];
        const Tensor &tensor = network.graph.tensor(id);
        const auto &given = network.graph.inputs;
        const bool is_given = std::find(given.begin(), given.end(), id) != given.end();
        sources.push_back({.made_by_unit = !tensor.is_constant() && !is_given,
                           .weight = tensor.is_constant() ? &tensor : nullptr});
    }
    return sources;
}

UnitSitting::UnitSitting(const PlannedNetwork &network, const UnitLibrary &library,
                         const std::vector<size_t> &launches, uint64_t seed, Inputs inputs)
    : library_(library), launches_(launches), bytes_(bytes_of_all(network, launches)),
      values_(bytes_.values), originals_(bytes_.originals), cold_(bytes_.cold),
      shared_(values_.take(bytes_.values), static_cast<size_t>(bytes_.values)) {
    for (const size_t i : launches) {
        const PlannedLaunch &launch = network.launches[i];
        SpanMemory values(shared_);
        buffers_.push_back(std::make_unique<UnitBuffers>(
            launch.unit, input_sources(network, launch), seed, values, originals_, cold_));
        seed += inputs == Inputs::Own ? 1 : 0;
    }
}

double UnitSitting::run(size_t i) {
    UnitBuffers &buffers = *buffers_[i];
    for (const UnitBuffers::Copy &copy : buffers.copies()) {
        library_.copy(copy.to, copy.from);
    }
    const std::vector<void *> arguments = buffers.arguments();
    const Clock::time_point begin = Clock::now();
    library_.call(launches_[i], arguments);
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace emulsion
