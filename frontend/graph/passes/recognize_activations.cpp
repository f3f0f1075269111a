// Recognize activations that exporters write as several nodes:
//
//     x tanh(softplus(x))                            ->  Mish(x)
//     x HardSigmoid(x)     alpha 1/6, beta 1/2       ->  HardSwish(x)
//     x/2 (1 + erf(x / sqrt 2))                      ->  Gelu(x)
//
// with operands in any order, and the last with factors in any order. The one operator needs one
// exponential or one rational function for what would otherwise be two or three. The last node
// becomes the operator, so its result keeps its name; nodes before it go if nobody else reads them.
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "frontend/graph/match.h"
#include "frontend/graph/pass.h"

namespace emulsion {

namespace {

constexpr double kTolerance = 1e-5;  // of attributes, which are f32

bool is_mish(const Match &match, TensorId x, TensorId factor) {
    const Node *tanh = match.made_by(factor, "Tanh");
    const Node *softplus = tanh == nullptr ? nullptr : match.made_by(tanh->inputs[0], "Softplus");
    return softplus != nullptr && softplus->inputs[0] == x;
}

bool is_hard_swish(const Match &match, TensorId x, TensorId factor) {
    const Node *gate = match.made_by(factor, "HardSigmoid");
    return gate != nullptr && gate->inputs[0] == x &&
           std::abs(gate->real("alpha", 0.2) - 1.0 / 6.0) < kTolerance &&
           std::abs(gate->real("beta", 0.5) - 0.5) < kTolerance;
}

// Whether `value` is 1 + erf(x / sqrt 2).
bool is_gelu_gate(const Match &match, TensorId x, TensorId value) {
    const Node *erf = match.made_by(match.operand_beside(value, "Add", 1.0), "Erf");
    if (erf == nullptr) {
        return false;
    }
    const TensorId scaled = erf->inputs[0];
    const std::vector<TensorId> quotient = match.two_operands(scaled, "Div");
    return match.operand_beside(scaled, "Mul", 1.0 / std::numbers::sqrt2) == x ||
           (!quotient.empty() && quotient[0] == x &&
            match.is_number(quotient[1], std::numbers::sqrt2));
}

// The operand x of x, 1/2 and 1 + erf(x / sqrt 2), which `factors` are in any order; or kNoTensor.
TensorId gelu_operand(const Match &match, const std::array<TensorId, 3> &factors) {
    for (size_t half = 0; half < factors.size(); half++) {
        const TensorId a = factors.at((half + 1) % factors.size());
        const TensorId b = factors.at((half + 2) % factors.size());
        if (!match.is_number(factors.at(half), 0.5)) {
            continue;
        }
        if (is_gelu_gate(match, a, b)) {
            return a;
        }
        if (is_gelu_gate(match, b, a)) {
            return b;
        }
    }
    return kNoTensor;
}

// The same of a product of three, however it is associated.
TensorId gelu_operand(const Match &match, TensorId product) {
    const std::vector<TensorId> outer = match.two_operands(product, "Mul");
    for (size_t i = 0; i < outer.size(); i++) {
        const std::vector<TensorId> inner = match.two_operands(outer[i], "Mul");
        if (!inner.empty()) {
            const TensorId x = gelu_operand(match, {outer[1 - i], inner[0], inner[1]});
            if (x != kNoTensor) {
                return x;
            }
        }
    }
    return kNoTensor;
}

struct Activation {
    std::string type;
    TensorId operand = kNoTensor;
};

Activation recognize(const Match &match, TensorId value) {
    const std::vector<TensorId> factors = match.two_operands(value, "Mul");
    for (size_t i = 0; i < factors.size(); i++) {
        const TensorId x = factors[i];
        const TensorId factor = factors[1 - i];
        if (is_mish(match, x, factor)) {
            return {.type = "Mish", .operand = x};
        }
        if (is_hard_swish(match, x, factor)) {
            return {.type = "HardSwish", .operand = x};
        }
    }
    return {.type = "Gelu", .operand = gelu_operand(match, value)};
}

Graph recognize_activations(Graph graph) {
    const Match match(graph);
    for (Node &node : graph.nodes) {
        if (node.operator_type != "Mul" || !node.domain.empty() || node.outputs.size() != 1 ||
            node.outputs[0] == kNoTensor) {
            continue;
        }
        const Tensor &result = graph.tensor(node.outputs[0]);
        const Activation found = recognize(match, node.outputs[0]);
        if (found.operand != kNoTensor && is_float(result.type) &&
            graph.tensor(found.operand).shape == result.shape) {
            node.operator_type = found.type;
            node.inputs = {found.operand};
            node.attributes.clear();
        }
    }
    graph.remove_dead_nodes();
    return graph;
}

}  // namespace

const Pass &graph_pass_recognize_activations() {
    static const Pass pass = {"recognize-activations",
                              "x tanh(softplus(x)) -> Mish(x), and HardSwish and Gelu likewise", 40,
                              recognize_activations};
    return pass;
}

}  // namespace emulsion
