// Runs operators at compile time, through Halide's JIT: the same implementations as in the compiled
// network, so that folding needs no second definition of any operator; but what is never in a network is computed as
// it says itself (Operator::compute).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

// Whether `evaluate` can do `node`: every operand whose elements matter is a constant.
bool is_constant_node(const Graph &graph, const Node &node);

// The outputs of such a node. Throws Error like compiling would.
std::vector<ConstantData> evaluate(const Graph &graph, const Node &node);

// What may be computed at compile time, all in all: a few lines of ONNX can ask for any amount.
struct EvaluationBudget {
    int64_t nodes = 20'000;            // each takes milliseconds whatever its size: it is compiled
    int64_t bytes = int64_t{2} << 30;  // of results
    int64_t steps = int64_t{1} << 34;  // elements that are computed or summed up: half a minute
};

// Computes the nodes of a model at compile time that have one output, within a budget. Models compute the same shapes
// in every block: what is like a node before it, in operator, attributes and a few operands, has its value for nothing.
class Evaluator {
public:
    explicit Evaluator(EvaluationBudget budget = {}) : left_(budget) {}

    // The output of `node`, if the budget allows it, which is then charged. Throws Error like compiling would.
    std::optional<ConstantData> value(const Graph &graph, const Node &node);

    const EvaluationBudget &left() const { return left_; }

private:
    EvaluationBudget left_;
    std::map<std::string, ConstantData> known_;  // by the node and its operands
};

}  // namespace emulsion
