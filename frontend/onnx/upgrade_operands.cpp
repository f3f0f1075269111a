// Attributes that became operands:   f <a = v> (x)   ->   f(x, v).
#include "frontend/onnx/upgrades.h"

namespace emulsion::upgrades {

namespace {

void set_operand(Node &node, size_t index, TensorId id) {
    if (node.inputs.size() <= index) {
        node.inputs.resize(index + 1, kNoTensor);
    }
    node.inputs[index] = id;
}

void integers_to_operand(const UpgradeContext &context, Node &node, const std::string &attribute,
                         size_t index) {
    if (node.has(attribute)) {
        set_operand(node, index,
                    context.integers(node.name + "." + attribute, node.integers(attribute, {})));
        node.attributes.erase(attribute);
    }
}

void real_to_operand(const UpgradeContext &context, Node &node, const std::string &attribute,
                     size_t index) {
    if (node.has(attribute)) {
        const DataType type = context.graph.tensor(node.inputs.at(0)).type;
        set_operand(node, index,
                    context.reals(node.name + "." + attribute, {node.real(attribute, 0)}, type,
                                  /*scalar=*/true));
        node.attributes.erase(attribute);
    }
}

}  // namespace

std::vector<Node> axes(const UpgradeContext &context, Node node) {
    integers_to_operand(context, node, "axes", 1);
    return {std::move(node)};
}

std::vector<Node> clip(const UpgradeContext &context, Node node) {
    real_to_operand(context, node, "min", 1);
    real_to_operand(context, node, "max", 2);
    return {std::move(node)};
}

std::vector<Node> pad(const UpgradeContext &context, Node node) {
    integers_to_operand(context, node, "pads", 1);
    real_to_operand(context, node, "value", 2);
    return {std::move(node)};
}

std::vector<Node> slice(const UpgradeContext &context, Node node) {
    integers_to_operand(context, node, "starts", 1);
    integers_to_operand(context, node, "ends", 2);
    integers_to_operand(context, node, "axes", 3);
    return {std::move(node)};
}

// Without sizes the parts were equal, as many as there are results.
std::vector<Node> split(const UpgradeContext &context, Node node) {
    integers_to_operand(context, node, "split", 1);
    if (node.inputs.size() < 2 || node.inputs[1] == kNoTensor) {
        node.attributes.emplace("num_outputs", static_cast<int64_t>(node.outputs.size()));
    }
    return {std::move(node)};
}

std::vector<Node> top_k(const UpgradeContext &context, Node node) {
    if (node.has("k")) {
        set_operand(node, 1, context.integers(node.name + ".k", {node.integer("k", 0)}));
        node.attributes.erase("k");
    }
    return {std::move(node)};
}

}  // namespace emulsion::upgrades
