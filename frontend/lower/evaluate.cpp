#include "frontend/lower/evaluate.h"

#include <algorithm>
#include <cassert>

#include "frontend/lower/group_funcs.h"

namespace emulsion {

namespace {

// A row-major buffer over `data`, dimension i = axis i.
Halide::Buffer<> wrap(const Tensor &tensor, void *data) {
    std::vector<halide_dimension_t> dims;
    for (const BufferDimension &d : buffer_dimensions(tensor.extents(), row_major(tensor.rank()))) {
        dims.emplace_back(static_cast<int>(d.min), static_cast<int>(d.extent),
                          static_cast<int>(d.stride));
    }
    return Halide::Buffer<>(halide_type(tensor.type), data, static_cast<int>(dims.size()),
                            dims.data());
}

// `node` alone, as a graph whose buffers are its operands. Names are our own: a model's may be ones
// that Halide uses itself or does not accept.
Graph single_node(const Graph &graph, const Node &node) {
    Graph single;
    single.opset = graph.opset;
    single.tensors = graph.tensors;
    for (size_t i = 0; i < single.tensors.size(); i++) {
        single.tensors[i].name = "tensor" + std::to_string(i) + "_data";
    }
    single.nodes = {node};
    single.nodes.front().name = "folded_op";
    const Operator *op = find_operator(node.domain, node.operator_type);
    for (size_t i = 0; i < node.inputs.size(); i++) {
        const TensorId id = node.inputs[i];
        const bool compile_time =
            op != nullptr && op->compile_time_input && op->compile_time_input(static_cast<int>(i));
        if (id != kNoTensor && !compile_time && !is_number(graph.tensor(id)) &&
            std::find(single.inputs.begin(), single.inputs.end(), id) == single.inputs.end()) {
            single.inputs.push_back(id);
        }
    }
    for (TensorId id : node.outputs) {
        if (id != kNoTensor) {
            single.outputs.push_back(id);
        }
    }
    return single;
}

// By default a reduction is computed anew for every element that reads it.
void compute_reductions_once(const GroupFuncs &group) {
    for (const Halide::Func &output : group.outputs) {
        for (const auto &[name, function] :
             Halide::Internal::find_transitive_calls(output.function())) {
            if (function.has_update_definition() && name != output.name()) {
                Halide::Func(function).compute_root();
            }
        }
    }
}

}  // namespace

std::vector<ConstantData> evaluate(const Graph &graph, const Node &node) {
    const Graph single = single_node(graph, node);
    std::vector<Layout> layouts;
    for (TensorId id : single.inputs) {
        layouts.push_back(row_major(graph.tensor(id).rank()));
    }
    for (TensorId id : single.outputs) {
        layouts.push_back(row_major(graph.tensor(id).rank()));
    }
    GroupFuncs group = build_group(single, layouts);
    compute_reductions_once(group);
    for (size_t i = 0; i < group.inputs.size(); i++) {
        const Tensor &tensor = graph.tensor(single.inputs[i]);
        assert(tensor.constant);
        // Halide's buffers are not const; inputs are only read.
        group.inputs[i].set_buffer(wrap(tensor, const_cast<std::byte *>(tensor.constant->bytes)));
    }
    std::vector<ConstantData> results;
    for (size_t i = 0; i < group.outputs.size(); i++) {
        const Tensor &tensor = graph.tensor(single.outputs[i]);
        const auto bytes =
            static_cast<size_t>(tensor.element_count()) * static_cast<size_t>(size_of(tensor.type));
        std::vector<std::byte> data(bytes);
        if (bytes != 0) {
            Halide::Buffer<> out = wrap(tensor, data.data());
            group.outputs[i].realize(Halide::Pipeline::RealizationArg(out));
        }
        results.push_back(make_constant(std::move(data)));
    }
    return results;
}

}  // namespace emulsion
