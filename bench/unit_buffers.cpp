#include "bench/unit_buffers.h"

#include <memory>

#include "backend/constant_layout.h"
#include "bench/random_array.h"
#include "frontend/graph/value_bounds.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kCacheLine = 64;

halide_type_t halide_type_of(DataType type) {
    const auto bits = static_cast<uint8_t>(8 * size_of(type));
    switch (type) {
    case DataType::F32:
    case DataType::F64: return {halide_type_float, bits};
    case DataType::I8:
    case DataType::I16:
    case DataType::I32:
    case DataType::I64: return {halide_type_int, bits};
    case DataType::Bool: return {halide_type_uint, 1};
    default: return {halide_type_uint, bits};
    }
}

}  // namespace

UnitBuffers::UnitBuffers(const Unit &unit, const std::vector<bool> &is_constant, uint64_t seed) {
    memory_.reserve(unit.inputs.size() + 1);
    const std::vector<ValueBounds> bounds = value_bounds(unit.graph);
    for (size_t i = 0; i < unit.inputs.size(); i++) {
        Tensor tensor = unit.graph.tensor(unit.inputs[i].tensor);
        Array values = random_array(tensor.type, tensor.extents(), seed, tensor.name,
                                    bounds[static_cast<size_t>(unit.inputs[i].tensor)]);
        tensor.constant = make_constant(std::move(values.bytes));
        add(tensor, unit.inputs[i].layout, false);
        memory_.back().constant = is_constant[i];
    }
    add(unit.graph.tensor(unit.output.tensor), unit.output.layout, true);
}

void UnitBuffers::add(const Tensor &tensor, const Layout &layout, bool is_output) {
    const std::vector<int64_t> extents = tensor.extents();
    const auto element = static_cast<size_t>(size_of(tensor.type));
    Memory &memory = memory_.emplace_back();
    memory.size = static_cast<size_t>(allocated_elements(extents, layout)) * element;
    size_t room = memory.size + kAlignment;
    memory.bytes.assign(room, std::byte{0});
    void *start = memory.bytes.data();
    memory.start = static_cast<std::byte *>(std::align(kAlignment, memory.size, start, room));
    std::vector<BufferDimension> dimensions = buffer_dimensions(extents, layout);
    std::byte *host = memory.start;
    if (!is_output) {
        lay_out(tensor, layout, memory.start);
    } else {  // the interior only
        host += static_cast<size_t>(interior_offset(extents, layout)) * element;
        for (size_t i = 0; i < extents.size(); i++) {
            dimensions[i].min = 0;
            dimensions[i].extent = extents[i];
        }
    }
    for (const BufferDimension &d : dimensions) {
        memory.dimensions.push_back({static_cast<int32_t>(d.min), static_cast<int32_t>(d.extent),
                                     static_cast<int32_t>(d.stride), 0});
    }
    memory.buffer.host = reinterpret_cast<uint8_t *>(host);
    memory.buffer.type = halide_type_of(tensor.type);
    memory.buffer.dimensions = static_cast<int32_t>(memory.dimensions.size());
    memory.buffer.dim = memory.dimensions.data();
}

std::vector<void *> UnitBuffers::arguments() {
    std::vector<void *> pointers;
    for (Memory &memory : memory_) {
        pointers.push_back(&memory.buffer);
    }
    return pointers;
}

void UnitBuffers::warm_inputs() const {
    for (const Memory &memory : memory_) {
        if (memory.constant) {
            continue;
        }
        for (size_t i = 0; i < memory.size; i += kCacheLine) {
            static_cast<void>(*static_cast<const volatile std::byte *>(memory.start + i));
        }
    }
}

int64_t UnitBuffers::weights_bytes() const {
    int64_t bytes = 0;
    for (const Memory &memory : memory_) {
        bytes += memory.constant ? static_cast<int64_t>(memory.size) : 0;
    }
    return bytes;
}

}  // namespace emulsion
