#include "frontend/lower/graph_json.h"

namespace emulsion {

using nlohmann::json;

namespace {

std::string hex(const ConstantData &data) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(data.size * 2);
    for (size_t i = 0; i < data.size; i++) {
        const auto byte = std::to_integer<unsigned>(data.bytes[i]);
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

int digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    throw Error("a constant of the unit is not hexadecimal");
}

ConstantData unhex(const std::string &text) {
    std::vector<std::byte> bytes(text.size() / 2);
    for (size_t i = 0; i < bytes.size(); i++) {
        bytes[i] = static_cast<std::byte>(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
    }
    return make_constant(std::move(bytes));
}

// An attribute as [kind, value]: the kind keeps 1 and 1.0 apart.
json attribute_to_json(const Attribute &attribute) {
    return std::visit([&](const auto &value) { return json{attribute.index(), value}; }, attribute);
}

template<size_t... I>
Attribute attribute_of_kind(size_t kind, const json &value, std::index_sequence<I...>) {
    Attribute attribute;
    const bool known =
        ((kind == I && (attribute = value.get<std::variant_alternative_t<I, Attribute>>(), true)) ||
         ...);
    if (!known) {
        throw Error("an attribute of the unit has an unknown kind");
    }
    return attribute;
}

json tensor_to_json(const Tensor &tensor) {
    json shape = json::array();
    for (const Dim &d : tensor.shape) {
        shape.push_back(d.is_constant() ? json(d.value()) : json(d.symbol()));
    }
    json j = {{"name", tensor.name}, {"type", to_string(tensor.type)}, {"shape", shape}};
    if (tensor.constant) {
        j["constant"] = hex(*tensor.constant);
    }
    return j;
}

json node_to_json(const Node &node) {
    json attributes = json::object();
    for (const auto &[key, value] : node.attributes) {
        attributes[key] = attribute_to_json(value);
    }
    return {{"name", node.name},     {"operator", node.operator_type}, {"domain", node.domain},
            {"inputs", node.inputs}, {"outputs", node.outputs},        {"attributes", attributes}};
}

}  // namespace

json graph_to_json(const Graph &graph) {
    json j = {{"opset", graph.opset},
              {"tensors", json::array()},
              {"nodes", json::array()},
              {"inputs", graph.inputs},
              {"outputs", graph.outputs}};
    for (const Tensor &tensor : graph.tensors) {
        j["tensors"].push_back(tensor_to_json(tensor));
    }
    for (const Node &node : graph.nodes) {
        j["nodes"].push_back(node_to_json(node));
    }
    return j;
}

Graph graph_from_json(const json &j) {
    Graph graph;
    graph.opset = j.at("opset").get<int64_t>();
    for (const json &t : j.at("tensors")) {
        Tensor tensor;
        tensor.name = t.at("name").get<std::string>();
        tensor.type = data_type_from_string(t.at("type").get<std::string>());
        for (const json &d : t.at("shape")) {
            tensor.shape.push_back(d.is_string() ? Dim(d.get<std::string>())
                                                 : Dim(d.get<int64_t>()));
        }
        if (t.contains("constant")) {
            tensor.constant = unhex(t.at("constant").get<std::string>());
        }
        graph.tensors.push_back(std::move(tensor));
    }
    for (const json &n : j.at("nodes")) {
        Node node;
        node.index = static_cast<int>(graph.nodes.size());
        node.name = n.at("name").get<std::string>();
        node.operator_type = n.at("operator").get<std::string>();
        node.domain = n.at("domain").get<std::string>();
        node.inputs = n.at("inputs").get<std::vector<TensorId>>();
        node.outputs = n.at("outputs").get<std::vector<TensorId>>();
        for (const auto &[key, value] : n.at("attributes").items()) {
            node.attributes[key] =
                attribute_of_kind(value.at(0).get<size_t>(), value.at(1),
                                  std::make_index_sequence<std::variant_size_v<Attribute>>());
        }
        graph.nodes.push_back(std::move(node));
    }
    graph.inputs = j.at("inputs").get<std::vector<TensorId>>();
    graph.outputs = j.at("outputs").get<std::vector<TensorId>>();
    graph.verify();
    return graph;
}

}  // namespace emulsion
