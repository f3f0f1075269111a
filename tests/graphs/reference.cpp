#include "tests/graphs/reference.h"

#include "tests/graphs/kind.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

std::map<std::string, const Evaluate *> known_operators() {
    std::map<std::string, const Evaluate *> known;
    for (const GraphKind *kind : all_graph_kinds()) {
        for (const auto &[type, evaluate] : kind->operators) {
            known[type] = &evaluate;
        }
    }
    return known;
}

}  // namespace

std::vector<int64_t> Call::integers(size_t index) const {
    const std::vector<double> &values = inputs.at(index)->at;
    return {values.begin(), values.end()};
}

std::vector<Value> evaluate_call(const Call &call) {
    static const std::map<std::string, const Evaluate *> known = known_operators();
    const auto found = known.find(call.node.operator_type);
    if (found == known.end()) {
        throw Error("the reference of tools/fuzz-graphs has no such operator", call.node.place());
    }
    return (*found->second)(call);
}

Value value_of(const Tensor &constant) {
    Value value;
    value.type = constant.type;
    value.shape = constant.extents();
    value.at = to_doubles(constant.constant.value(), constant.type);
    return value;
}

void round_to_type(Value &value) {
    if (value.type == DataType::F32) {
        for (double &v : value.at) {
            v = static_cast<double>(static_cast<float>(v));
        }
    }
}

std::vector<Value> evaluate_graph(const Graph &graph, const std::vector<Value> &inputs) {
    std::vector<Value> values(graph.tensors.size());
    for (size_t id = 0; id < graph.tensors.size(); id++) {
        if (graph.tensors[id].constant) {
            values[id] = value_of(graph.tensors[id]);
        }
    }
    for (size_t i = 0; i < graph.inputs.size(); i++) {
        values[static_cast<size_t>(graph.inputs[i])] = inputs.at(i);
    }
    for (const Node &node : graph.nodes) {
        Call call{node, {}};
        for (const TensorId id : node.inputs) {
            call.inputs.push_back(id == kNoTensor ? nullptr : &values[static_cast<size_t>(id)]);
        }
        std::vector<Value> results = evaluate_call(call);
        for (size_t i = 0; i < node.outputs.size(); i++) {
            if (node.outputs[i] != kNoTensor) {
                values[static_cast<size_t>(node.outputs[i])] = std::move(results.at(i));
            }
        }
    }
    return values;
}

}  // namespace emulsion::test
