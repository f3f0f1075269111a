#include "frontend/graph/subgraph.h"

#include <cassert>
#include <cstring>

namespace emulsion {

namespace {

template<typename T>
std::vector<std::byte> bytes_of(const std::vector<T> &values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) {
        std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return bytes;
}

std::vector<Dim> dims(const std::vector<int64_t> &shape) { return {shape.begin(), shape.end()}; }

}  // namespace

SubgraphBuilder::SubgraphBuilder(Graph &graph, const Node &node, const std::string &name)
    : graph_(graph), node_(node), name_(node.name + "/" + name) {}

bool SubgraphBuilder::has_input(int index) const {
    const auto i = static_cast<size_t>(index);
    return i < node_.inputs.size() && node_.inputs[i] != kNoTensor;
}

TensorId SubgraphBuilder::add_constant(Tensor tensor, const std::vector<int64_t> &shape,
                                       std::vector<std::byte> bytes) {
    tensor.name = name_ + "/constant" + std::to_string(constants_++);
    tensor.shape = dims(shape);
    tensor.constant = make_constant(std::move(bytes));
    return graph_.add_tensor(std::move(tensor));
}

TensorId SubgraphBuilder::integers(const std::vector<int64_t> &values) {
    Tensor tensor;
    tensor.type = DataType::I64;
    return add_constant(std::move(tensor), {static_cast<int64_t>(values.size())}, bytes_of(values));
}

TensorId SubgraphBuilder::reals(const std::vector<int64_t> &shape,
                                const std::vector<double> &values, DataType type) {
    assert(type == DataType::F32 || type == DataType::F64);
    Tensor tensor;
    tensor.type = type;
    return add_constant(std::move(tensor), shape,
                        type == DataType::F64
                            ? bytes_of(values)
                            : bytes_of(std::vector<float>(values.begin(), values.end())));
}

void SubgraphBuilder::append(const std::string &part, Node like, TensorId result) {
    like.name = name_ + "/" + part;
    like.index = node_.index;
    like.outputs = {result};
    parts_.push_back({part, static_cast<int>(graph_.nodes.size())});
    graph_.nodes.push_back(std::move(like));
}

TensorId SubgraphBuilder::add(const std::string &part, Node like,
                              const std::vector<int64_t> &shape) {
    Tensor tensor;
    tensor.name = name_ + "/" + part;
    tensor.type = graph_.tensor(node_.result()).type;
    tensor.shape = dims(shape);
    const TensorId result = graph_.add_tensor(std::move(tensor));
    append(part, std::move(like), result);
    return result;
}

Node SubgraphBuilder::reshaping(TensorId operand, const std::vector<int64_t> &shape) {
    Node node;
    node.operator_type = "Reshape";
    node.inputs = {operand, integers(shape)};
    return node;
}

TensorId SubgraphBuilder::reshape(const std::string &part, TensorId operand,
                                  const std::vector<int64_t> &shape) {
    if (graph_.tensor(operand).is_constant()) {
        Tensor same = graph_.tensor(operand);
        same.name = name_ + "/" + part;
        same.shape = dims(shape);
        return graph_.add_tensor(std::move(same));
    }
    return add(part, reshaping(operand, shape), shape);
}

void SubgraphBuilder::result(const std::string &part, Node like) {
    append(part, std::move(like), node_.result());
}

void SubgraphBuilder::result_reshaped(const std::string &part, TensorId operand) {
    result(part, reshaping(operand, graph_.tensor(node_.result()).extents()));
}

}  // namespace emulsion
