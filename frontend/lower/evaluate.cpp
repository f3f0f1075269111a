#include "frontend/lower/evaluate.h"

#include <algorithm>
#include <cassert>
#include <map>

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
// that Halide uses itself or does not accept. Only the node's own tensors are copied: a model may have
// thousands of nodes to fold.
class SingleNode {
public:
    SingleNode(const Graph &graph, const Node &node) : from_(graph) {
        single_.opset = graph.opset;
        Node copy = node;
        copy.name = "folded_op";
        const Operator *op = find_operator(node.domain, node.operator_type);
        for (size_t i = 0; i < node.inputs.size(); i++) {
            copy.inputs[i] = tensor(node.inputs[i]);
            const bool read = op == nullptr || !op->compile_time_input ||
                              !op->compile_time_input(static_cast<int>(i));
            if (copy.inputs[i] != kNoTensor && read && !is_number(single_.tensor(copy.inputs[i]))) {
                add(single_.inputs, copy.inputs[i]);
            }
        }
        for (TensorId &id : copy.outputs) {
            id = tensor(id);
            if (id != kNoTensor) {
                single_.outputs.push_back(id);
            }
        }
        single_.nodes = {std::move(copy)};
    }

    const Graph &graph() const { return single_; }

private:
    static void add(std::vector<TensorId> &list, TensorId id) {
        if (std::find(list.begin(), list.end(), id) == list.end()) {
            list.push_back(id);
        }
    }

    TensorId tensor(TensorId id) {
        if (id == kNoTensor) {
            return kNoTensor;
        }
        const auto [known, is_new] =
            copies_.emplace(id, static_cast<TensorId>(single_.tensors.size()));
        if (is_new) {
            Tensor copy = from_.tensor(id);
            copy.name = "tensor" + std::to_string(single_.tensors.size()) + "_data";
            single_.add_tensor(std::move(copy));
        }
        return known->second;
    }

    const Graph &from_;
    Graph single_;
    std::map<TensorId, TensorId> copies_;
};

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

bool is_constant_node(const Graph &graph, const Node &node) {
    const Operator *op = find_operator(node.domain, node.operator_type);
    bool known = true;
    for (size_t i = 0; i < node.inputs.size(); i++) {
        if (node.inputs[i] != kNoTensor && !graph.tensor(node.inputs[i]).is_constant()) {
            if (op == nullptr || !op->compile_time_input ||
                !op->compile_time_input(static_cast<int>(i))) {
                return false;
            }
            known = false;
        }
    }
    if (known) {
        return true;
    }
    try {
        // Shape needs no more than extents; Reshape says here that it does.
        op->check(LoweringContext(graph, node, "checked_op", {}));
        return true;
    } catch (const Error &) {
        return false;
    }
}

std::vector<ConstantData> evaluate(const Graph &graph, const Node &node) {
    const SingleNode copy(graph, node);
    const Graph &single = copy.graph();
    std::vector<Layout> layouts;
    for (TensorId id : single.inputs) {
        layouts.push_back(row_major(single.tensor(id).rank()));
    }
    for (TensorId id : single.outputs) {
        layouts.push_back(row_major(single.tensor(id).rank()));
    }
    GroupFuncs group = build_group(single, layouts);
    compute_reductions_once(group);
    for (size_t i = 0; i < group.inputs.size(); i++) {
        const Tensor &tensor = single.tensor(single.inputs[i]);
        assert(tensor.constant);
        // Halide's buffers are not const; inputs are only read.
        group.inputs[i].set_buffer(wrap(tensor, const_cast<std::byte *>(tensor.constant->bytes)));
    }
    std::vector<ConstantData> results;
    for (size_t i = 0; i < group.outputs.size(); i++) {
        const Tensor &tensor = single.tensor(single.outputs[i]);
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
