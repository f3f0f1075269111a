#include "bench/unit_buffers.h"

#include <cassert>

#include "backend/box_copy.h"
#include "backend/constant_layout.h"
#include "bench/random_array.h"
#include "frontend/graph/value_bounds.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

halide_type_t halide_type_of(DataType type) {
    const ElementType element = traits_of(type).element;
    return {static_cast<halide_type_code_t>(element.code()), static_cast<uint8_t>(element.bits)};
}

int64_t bytes_of(const Graph &graph, const UnitArgument &argument) {
    const Tensor &tensor = graph.tensor(argument.tensor);
    return allocated_elements(tensor.extents(), argument.layout) *
           static_cast<int64_t>(size_of(tensor.type));
}

}  // namespace

UnitBytes bytes_of(const Unit &unit, const std::vector<InputSource> &sources) {
    UnitBytes bytes;
    bytes.values = BufferMemory::taken(bytes_of(unit.graph, unit.output));
    for (size_t i = 0; i < unit.inputs.size(); i++) {
        const int64_t input = BufferMemory::taken(bytes_of(unit.graph, unit.inputs[i]));
        bytes.values += sources[i].made_by_unit ? input : 0;
        (sources[i].made_by_unit ? bytes.originals : bytes.cold) += input;
    }
    return bytes;
}

UnitBuffers::UnitBuffers(const Unit &unit, const std::vector<InputSource> &sources, uint64_t seed,
                         BufferMemory &values, BufferMemory &originals, BufferMemory &cold)
    : unit_(unit) {
    arguments_.reserve(unit.inputs.size() + 1);
    const std::vector<ValueBounds> bounds = value_bounds(unit.graph);
    const int64_t output_bytes = bytes_of(unit.graph, unit.output);
    output_memory_ = {values.take(output_bytes), static_cast<size_t>(output_bytes)};
    for (size_t i = 0; i < unit.inputs.size(); i++) {
        Tensor tensor = unit.graph.tensor(unit.inputs[i].tensor);
        if (sources[i].weight != nullptr) {
            tensor.constant = sources[i].weight->constant;
        } else {
            Array random = random_array(tensor.type, tensor.extents(), seed, tensor.name,
                                        bounds[static_cast<size_t>(unit.inputs[i].tensor)]);
            tensor.constant = make_constant(std::move(random.bytes));
        }
        const int64_t bytes = bytes_of(unit.graph, unit.inputs[i]);
        std::byte *laid_out = (sources[i].made_by_unit ? originals : cold).take(bytes);
        lay_out(tensor, unit.inputs[i].layout, laid_out);
        std::byte *start = laid_out;
        if (sources[i].made_by_unit) {
            start = values.take(bytes);
            const auto size = static_cast<size_t>(bytes);
            copies_.push_back({{start, size}, {laid_out, size}});
        }
        add(tensor, unit.inputs[i].layout, false, start);
    }
    add(unit.graph.tensor(unit.output.tensor), unit.output.layout, true, output_memory_.data());
}

void UnitBuffers::add(const Tensor &tensor, const Layout &layout, bool is_output,
                      std::byte *start) {
    const std::vector<int64_t> extents = tensor.extents();
    const auto element = static_cast<size_t>(size_of(tensor.type));
    Argument &argument = arguments_.emplace_back();
    std::vector<BufferDimension> dimensions = buffer_dimensions(extents, layout);
    std::byte *host = start;
    if (is_output) {  // the interior only
        host += static_cast<size_t>(interior_offset(extents, layout)) * element;
        for (size_t i = 0; i < extents.size(); i++) {
            dimensions[i].min = 0;
            dimensions[i].extent = extents[i];
        }
    }
    for (const BufferDimension &d : dimensions) {
        argument.dimensions.push_back({static_cast<int32_t>(d.min), static_cast<int32_t>(d.extent),
                                       static_cast<int32_t>(d.stride), 0});
    }
    argument.buffer.host = reinterpret_cast<uint8_t *>(host);
    argument.buffer.type = halide_type_of(tensor.type);
    argument.buffer.dimensions = static_cast<int32_t>(argument.dimensions.size());
    argument.buffer.dim = argument.dimensions.data();
}

std::vector<void *> UnitBuffers::arguments() {
    std::vector<void *> pointers;
    for (Argument &argument : arguments_) {
        pointers.push_back(&argument.buffer);
    }
    return pointers;
}

Array UnitBuffers::output() const {
    assert(unit_.output.layout.block_axis < 0);  // of constants only
    const Tensor &tensor = unit_.graph.tensor(unit_.output.tensor);
    const halide_buffer_t &buffer = arguments_.back().buffer;
    Array array{tensor.type, tensor.extents(), {}};
    std::vector<BoxDimension> box(array.shape.size());
    int64_t elements = 1;
    for (size_t axis = box.size(); axis-- > 0;) {
        box[axis] = {array.shape[axis], buffer.dim[axis].stride, elements};
        elements *= array.shape[axis];
    }
    const int element = size_of(tensor.type);
    array.bytes.resize(static_cast<size_t>(elements * element));
    copy_box(box, element, reinterpret_cast<const std::byte *>(buffer.host), array.bytes.data());
    return array;
}

}  // namespace emulsion
