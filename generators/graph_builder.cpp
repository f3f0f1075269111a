#include "generators/graph_builder.h"

#include <cstring>

namespace emulsion {

TensorId GraphBuilder::add(const std::string &name, const Shape &shape) {
    Tensor tensor;
    tensor.name = name;
    for (const int64_t extent : shape) {
        tensor.shape.emplace_back(extent);
    }
    return graph_.add_tensor(std::move(tensor));
}

TensorId GraphBuilder::input(const std::string &name, const Shape &shape) {
    graph_.inputs.push_back(add(name, shape));
    return graph_.inputs.back();
}

TensorId GraphBuilder::number(float value) {
    const TensorId id = add("number" + std::to_string(graph_.tensors.size()), {});
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    graph_.tensor(id).constant = make_constant(std::move(bytes));
    return id;
}

TensorId GraphBuilder::node(const std::string &type, const std::vector<TensorId> &inputs,
                            const Shape &shape,
                            const std::map<std::string, Attribute> &attributes) {
    Node node;
    node.name = type + "_" + std::to_string(graph_.nodes.size());
    node.index = static_cast<int>(graph_.nodes.size());
    node.operator_type = type;
    node.inputs = inputs;
    node.outputs = {add("value" + std::to_string(graph_.tensors.size()), shape)};
    node.attributes = attributes;
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back().result();
}

Graph GraphBuilder::finish(TensorId output) {
    graph_.tensor(output).name = "output";
    graph_.outputs = {output};
    return std::move(graph_);
}

}  // namespace emulsion
