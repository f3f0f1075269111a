// Recognize activations that exporters write as several nodes:
//
//     x tanh(softplus(x))                            ->  Mish(x)
//     x HardSigmoid(x)     alpha 1/6, beta 1/2       ->  HardSwish(x)
//     x/2 (1 + erf(x / sqrt 2))                      ->  Gelu(x)
//     x/2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))  ->  Gelu(x), approximate = "tanh"
//
// with operands in any order, and the last two with factors in any order. The one operator needs one
// exponential or one rational function for what would otherwise be two or three. The last node
// becomes the operator, so its result keeps its name; nodes before it go if nobody else reads them.
#include <array>
#include <cmath>
#include <map>
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

bool is_number(double value, double expected) { return std::abs(value - expected) <= kTolerance; }

// Whether `value` is a product of `power` factors x, numbers left aside, and `coefficient` theirs.
// No more than `depth` products are looked into.
bool is_monomial(const Match &match, TensorId value, TensorId x, int power, double coefficient,
                 int depth) {
    if (value == x) {
        return power == 1 && is_number(coefficient, 1.0);
    }
    const std::vector<TensorId> raised = match.two_operands(value, "Pow");
    if (!raised.empty()) {
        return raised[0] == x && match.is_number(raised[1], power) && is_number(coefficient, 1.0);
    }
    const std::vector<TensorId> factors = match.two_operands(value, "Mul");
    for (size_t i = 0; i < factors.size() && depth > 0; i++) {
        const TensorId rest = factors[1 - i];
        if (factors[i] == x && is_monomial(match, rest, x, power - 1, coefficient, depth - 1)) {
            return true;
        }
        if (match.is_number(factors[i], coefficient) &&
            is_monomial(match, rest, x, power, 1.0, depth - 1)) {
            return true;
        }
    }
    return false;
}

// Whether `value` is erf(x / sqrt 2).
bool is_scaled_erf(const Match &match, TensorId x, TensorId value) {
    const Node *erf = match.made_by(value, "Erf");
    if (erf == nullptr) {
        return false;
    }
    const TensorId scaled = erf->inputs[0];
    const std::vector<TensorId> quotient = match.two_operands(scaled, "Div");
    return match.operand_beside(scaled, "Mul", 1.0 / std::numbers::sqrt2) == x ||
           (!quotient.empty() && quotient[0] == x &&
            match.is_number(quotient[1], std::numbers::sqrt2));
}

// Whether `value` is tanh(sqrt(2 / pi) (x + 0.044715 x^3)), which is close to that.
bool is_tanh_of_cubic(const Match &match, TensorId x, TensorId value) {
    constexpr int kFactors = 4;  // of the cubic term
    const Node *tanh = match.made_by(value, "Tanh");
    if (tanh == nullptr) {
        return false;
    }
    const TensorId cubic =
        match.operand_beside(tanh->inputs[0], "Mul", std::sqrt(2.0 / std::numbers::pi));
    const TensorId term = match.other_operand(cubic, "Add", x);
    return term != kNoTensor && is_monomial(match, term, x, 3, 0.044715, kFactors);
}

// A Gelu of operand x; kNoTensor: none.
struct Gelu {
    TensorId operand = kNoTensor;
    std::string approximate;
};

// What x `gate` / 2 is.
Gelu gelu_of_gate(const Match &match, TensorId x, TensorId gate) {
    const TensorId inner = match.operand_beside(gate, "Add", 1.0);
    if (is_scaled_erf(match, x, inner)) {
        return {x, "none"};
    }
    return is_tanh_of_cubic(match, x, inner) ? Gelu{x, "tanh"} : Gelu{};
}

// Of x, 1/2 and the gate, which `factors` are in any order.
Gelu gelu_of_factors(const Match &match, const std::array<TensorId, 3> &factors) {
    for (size_t half = 0; half < factors.size(); half++) {
        const TensorId a = factors.at((half + 1) % factors.size());
        const TensorId b = factors.at((half + 2) % factors.size());
        if (!match.is_number(factors.at(half), 0.5)) {
            continue;
        }
        for (const Gelu &found : {gelu_of_gate(match, a, b), gelu_of_gate(match, b, a)}) {
            if (found.operand != kNoTensor) {
                return found;
            }
        }
    }
    return {};
}

// The same of a product of three, however it is associated.
Gelu gelu_of_product(const Match &match, TensorId product) {
    const std::vector<TensorId> outer = match.two_operands(product, "Mul");
    for (size_t i = 0; i < outer.size(); i++) {
        const std::vector<TensorId> inner = match.two_operands(outer[i], "Mul");
        if (!inner.empty()) {
            Gelu found = gelu_of_factors(match, {outer[1 - i], inner[0], inner[1]});
            if (found.operand != kNoTensor) {
                return found;
            }
        }
    }
    return {};
}

struct Activation {
    std::string type;
    TensorId operand = kNoTensor;
    std::map<std::string, Attribute> attributes;
};

Activation recognize(const Match &match, TensorId value) {
    const std::vector<TensorId> factors = match.two_operands(value, "Mul");
    for (size_t i = 0; i < factors.size(); i++) {
        const TensorId x = factors[i];
        const TensorId factor = factors[1 - i];
        if (is_mish(match, x, factor)) {
            return {.type = "Mish", .operand = x, .attributes = {}};
        }
        if (is_hard_swish(match, x, factor)) {
            return {.type = "HardSwish", .operand = x, .attributes = {}};
        }
    }
    const Gelu gelu = gelu_of_product(match, value);
    return {
        .type = "Gelu", .operand = gelu.operand, .attributes = {{"approximate", gelu.approximate}}};
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
            node.attributes = found.attributes;
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
