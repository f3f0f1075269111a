// Fold pads into the convolution after them, which then reads them from its operand's halo:
//
//     Conv(Pad(x, p, 0), W, pads)   ->   Conv(x, W, pads + p)      p along spatial axes, p >= 0
//
// A Pad that something else reads as well stays for that.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "frontend/graph/pass.h"

namespace emulsion {

namespace {

// One after another, before one convolution: nobody needs more than two or three.
constexpr int kMostPads = 16;

std::optional<std::vector<int64_t>> known_integers(const Graph &graph, TensorId id) {
    const Tensor &tensor = graph.tensor(id);
    if (!tensor.is_constant() || tensor.type != DataType::I64) {
        return {};
    }
    std::vector<int64_t> values(static_cast<size_t>(tensor.element_count()));
    if (!values.empty()) {
        std::memcpy(values.data(), tensor.constant->bytes, values.size() * sizeof(int64_t));
    }
    return values;
}

bool has(const Node &node, size_t index) {
    return index < node.inputs.size() && node.inputs[index] != kNoTensor;
}

bool is_zero(const Graph &graph, TensorId id) {
    const Tensor &tensor = graph.tensor(id);
    return tensor.is_constant() &&
           std::all_of(tensor.constant->bytes, tensor.constant->bytes + tensor.constant->size,
                       [](std::byte byte) { return byte == std::byte{0}; });
}

// What `node` adds before and after each spatial axis, as attribute pads has it; nothing if it is no Pad
// with zeros along these axes alone.
std::optional<std::vector<int64_t>> spatial_zeros(const Graph &graph, const Node &node) {
    if (node.operator_type != "Pad" || !node.domain.empty() || !has(node, 0) || !has(node, 1) ||
        node.text("mode", "constant") != "constant" ||
        (has(node, 2) && !is_zero(graph, node.inputs[2]))) {
        return {};
    }
    const int64_t rank = graph.tensor(node.inputs[0]).rank();
    std::vector<int64_t> axes;
    for (int64_t axis = 0; axis < rank; axis++) {
        axes.push_back(axis);
    }
    const auto listed = has(node, 3) ? known_integers(graph, node.inputs[3]) : axes;
    const auto pads = known_integers(graph, node.inputs[1]);
    if (!listed || !pads || pads->size() != 2 * listed->size() || rank < 3) {
        return {};
    }
    const auto spatial = static_cast<size_t>(rank - 2);
    std::vector<int64_t> result(2 * spatial, 0);
    for (size_t i = 0; i < listed->size(); i++) {
        const int64_t axis = (*listed)[i] + ((*listed)[i] < 0 ? rank : 0);
        for (const bool after : {false, true}) {
            const int64_t pad = (*pads)[i + (after ? listed->size() : 0)];
            if (pad == 0) {
                continue;
            }
            if (pad < 0 || axis < 2 || axis >= rank) {
                return {};
            }
            result[static_cast<size_t>(axis - 2) + (after ? spatial : 0)] += pad;
        }
    }
    return result;
}

bool fold(const Graph &graph, const Node &pad, Node &conv) {
    const auto added = spatial_zeros(graph, pad);
    const std::string auto_pad = conv.text("auto_pad", "NOTSET");
    if (!added || (auto_pad != "NOTSET" && auto_pad != "VALID")) {
        return false;
    }
    std::vector<int64_t> pads(added->size(), 0);
    if (auto_pad == "NOTSET") {
        pads = conv.integers("pads", pads);
    }
    if (pads.size() != added->size()) {
        return false;  // refused later
    }
    for (size_t i = 0; i < pads.size(); i++) {
        if (__builtin_add_overflow(pads[i], (*added)[i], &pads[i])) {
            return false;
        }
    }
    conv.attributes["pads"] = pads;
    conv.attributes.erase("auto_pad");
    conv.inputs[0] = pad.inputs[0];
    return true;
}

Graph fold_pads(Graph graph) {
    const std::vector<int> producers = graph.producers();
    for (Node &conv : graph.nodes) {
        const bool is_conv = conv.operator_type == "Conv" && conv.domain.empty() && has(conv, 0);
        // One Pad after another folds as well.
        bool again = is_conv;
        for (int pads = 0; again && pads < kMostPads; ++pads) {
            const int producer = producers[static_cast<size_t>(conv.inputs[0])];
            again = producer >= 0 && fold(graph, graph.nodes[static_cast<size_t>(producer)], conv);
        }
    }
    graph.remove_dead_nodes();
    return graph;
}

}  // namespace

const Pass &graph_pass_fold_pads() {
    static const Pass pass = {"fold-pads", "Conv(Pad(x, p), pads) -> Conv(x, pads + p)", 25,
                              fold_pads};
    return pass;
}

}  // namespace emulsion
