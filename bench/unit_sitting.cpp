#include "bench/unit_sitting.h"

#include <algorithm>
#include <cassert>
#include <chrono>

#include "backend/box_copy.h"
#include "backend/unit_library.h"

namespace emulsion {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<InputSource> sources_of(const PlannedNetwork &network, const PlannedLaunch &launch) {
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

UnitBytes bytes_of_all(const PlannedNetwork &network, const std::vector<size_t> &launches) {
    UnitBytes all;
    for (const size_t i : launches) {
        const PlannedLaunch &launch = network.launches[i];
        const UnitBytes bytes = bytes_of(launch.unit, sources_of(network, launch));
        all.values = std::max(all.values, bytes.values);
        all.originals += bytes.originals;
        all.cold += bytes.cold;
    }
    return all;
}

}  // namespace

UnitSitting::UnitSitting(const PlannedNetwork &network, const UnitLibrary &library,
                         const std::vector<size_t> &launches, uint64_t seed, Inputs inputs)
    : network_(network), library_(library), launches_(launches),
      bytes_(bytes_of_all(network, launches)), values_(bytes_.values), originals_(bytes_.originals),
      cold_(bytes_.cold), shared_(values_.take(bytes_.values), static_cast<size_t>(bytes_.values)) {
    for (const size_t i : launches) {
        const PlannedLaunch &launch = network.launches[i];
        buffers_.push_back(std::make_unique<UnitBuffers>(launch.unit, sources_of(network, launch),
                                                         seed, shared_, originals_, cold_));
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

void UnitSitting::spoil() { std::fill(shared_.begin(), shared_.end(), std::byte{0xff}); }

Array UnitSitting::output(size_t i) const {
    const Unit &unit = network_.launches[launches_[i]].unit;
    const Tensor &tensor = unit.graph.tensor(unit.output.tensor);
    const auto *buffer = static_cast<const halide_buffer_t *>(buffers_[i]->arguments().back());
    assert(unit.output.layout.block_axis < 0);  // of constants only
    Array array{tensor.type, tensor.extents(), {}};
    std::vector<BoxDimension> box(array.shape.size());
    int64_t elements = 1;
    for (size_t axis = box.size(); axis-- > 0;) {
        box[axis] = {array.shape[axis], buffer->dim[axis].stride, elements};
        elements *= array.shape[axis];
    }
    const int element = size_of(tensor.type);
    array.bytes.resize(static_cast<size_t>(elements * element));
    copy_box(box, element, reinterpret_cast<const std::byte *>(buffer->host), array.bytes.data());
    return array;
}

}  // namespace emulsion
