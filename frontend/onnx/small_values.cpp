#include "frontend/onnx/small_values.h"

#include <algorithm>

#include "frontend/onnx/infer_types.h"
#include "frontend/ops/operator.h"

namespace emulsion {

std::optional<ConstantData> small_value(Evaluator &evaluator, const Graph &graph,
                                        const Node &node) {
    const Tensor &result = graph.tensor(node.result());
    const auto bytes =
        static_cast<size_t>(result.element_count()) * static_cast<size_t>(size_of(result.type));
    if (bytes == 0) {
        return make_constant({});  // whatever it is computed from
    }
    if (!node.domain.empty() || node.inputs.empty() || bytes > kLargestShapeValue) {
        return {};
    }
    if (find_operator(node.domain, node.operator_type) == nullptr ||
        !is_constant_node(graph, node)) {
        return {};
    }
    return evaluator.value(graph, node);
}

void drop_empty_operands(const Graph &graph, Node &node) {
    const auto empty = [&](TensorId id) {
        return id != kNoTensor && graph.tensor(id).is_constant() &&
               graph.tensor(id).constant->size == 0;
    };
    if (!node.domain.empty()) {
        return;
    }
    if (node.operator_type == "Resize") {
        std::replace_if(node.inputs.begin(), node.inputs.end(), empty, kNoTensor);
    } else if (node.operator_type == "Concat" &&
               !std::all_of(node.inputs.begin(), node.inputs.end(), empty)) {
        node.inputs.erase(std::remove_if(node.inputs.begin(), node.inputs.end(), empty),
                          node.inputs.end());
    }
}

}  // namespace emulsion
